/*
 * writer: see writer.h. The side of the event loop. It keeps all jobs, hands a
 * few at a time to the thread (findings and the journal first), and holds
 * refused jobs for the next try. Corpus entries are delayed: most are trimmed
 * soon, and then only the trimmed one is written.
 */
#include "store/writer.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/xmalloc.h"
#include "control/libraries.h"
#include "store/writer_private.h"

#define WRITER_HANDED_MAX 16 /* maximum number of jobs before a finding */
#define WRITER_RETRY_MS 1000
#define WRITER_LAST_RETRY_MS 100 /* while the engine ends */
#define WRITER_LAST_TRIES 10     /* … if the disk refuses everything */
#define WRITER_GATHER_MS 1000    /* entries wait so long for a trimmed one */

static bool
writer_is_own(const struct writer_job *job)
{
	return job->kind >= WRITER_KIND_COUNT;
}

/* ---- to the thread ------------------------------------------------------ */

static void
writer_hand(struct writer *writer, struct writer_job *job)
{
	writer->handed_n++;
	writer_thread_hand(writer->thread, job);
}

static void
writer_hand_own(struct writer *writer, enum writer_own_kind kind)
{
	struct writer_job *job = xcalloc(1, sizeof(*job));

	job->kind = kind;
	writer_hand(writer, job);
}

static void
writer_pump(struct writer *writer)
{
	struct writer_job *job;

	if (writer->halted)
		return;
	while (writer->handed_n < WRITER_HANDED_MAX &&
		(job = writer_next(writer)) != NULL) {
		TAILQ_REMOVE(writer_line_of(writer, job->kind), job, line);
		TAILQ_INSERT_TAIL(&writer->handed, job, line);
		writer_hand(writer, job);
	}
	if (writer->entries_due && TAILQ_EMPTY(&writer->entries)) {
		writer->entries_due = false;
		writer_hand_own(writer, WRITER_SYNC);
	}
}

static void
writer_gather(struct writer *writer)
{
	if (!writer->entries_due &&
		!event_pending(writer->gather, EV_TIMEOUT, NULL))
		libraries_set_timer(writer->gather, WRITER_GATHER_MS);
}

/* The caller is busy, so it gets its callback from the loop. */
static void
writer_refuse(struct writer *writer, const struct writer_file *file)
{
	writer->lost++;
	writer_waiters_add(&writer->refused, file->done, file->arg);
	event_active(writer->refuse, EV_TIMEOUT, 0);
}

static void
writer_on_refuse(struct writer *writer)
{
	struct writer_waiter *refused = writer->refused;

	writer->refused = NULL;
	writer_waiters_tell(refused, E_FULL);
}

void
writer_add(struct writer *writer, const struct writer_file *file)
{
	struct writer_job *job = writer_find_waiting(writer, file);

	if (file->kind != WRITER_FINDING &&
		writer->bytes + file->len > WRITER_HELD_MAX) {
		writer_refuse(writer, file);
		return;
	}
	if (job) {
		writer_merge(writer, job, file);
		return;
	}
	job = writer_job_create(file);
	writer->bytes += job->len;
	writer_count(writer, job, 1);
	TAILQ_INSERT_TAIL(&writer->all, job, all);
	TAILQ_INSERT_TAIL(writer_line_of(writer, job->kind), job, line);
	if (job->kind == WRITER_ENTRY)
		writer_gather(writer);
	writer_pump(writer);
}

bool
writer_replace(struct writer *writer, const char *name,
	const struct writer_file *file)
{
	struct writer_job *job = writer_find_entry(writer, file->folder, name);

	if (!job)
		return false;
	writer_job_rename(job, file);
	/* This is the latest request for the new name. */
	job->since_ns = clock_now_ns();
	TAILQ_REMOVE(&writer->all, job, all);
	TAILQ_INSERT_TAIL(&writer->all, job, all);
	writer_set_data(writer, job, xmemdup(file->data, file->len), file->len);
	writer_waiters_add(&job->waiters, file->done, file->arg);
	return true;
}

/* ---- from the thread ---------------------------------------------------- */

static void
writer_arm_retry(struct writer *writer)
{
	if (!writer->finishing &&
		!event_pending(writer->retry, EV_TIMEOUT, NULL))
		libraries_set_timer(writer->retry, WRITER_RETRY_MS);
}

/* Keeps a refused job for a later try. */
static void
writer_hold(struct writer *writer, struct writer_job *job)
{
	if (writer->trouble == OK)
		log_debug("writer: %s: held in memory", job->error.text);
	/* E_STATE: the job waits for another file; the disk is not at fault. */
	if (job->status != E_STATE) {
		writer->trouble = job->status == E_FULL ? E_FULL : E_IO;
		snprintf(writer->text, sizeof(writer->text), "%.*s",
			(int)sizeof(writer->text) - 1, job->error.text);
	}
	if (!writer_is_urgent(job->kind))
		writer->stalled = true;
	writer_absorb(writer, job);
	if (!job->refused) {
		writer_count(writer, job, -1);
		job->refused = true;
		writer_count(writer, job, 1);
	}
	TAILQ_INSERT_TAIL(&writer->held, job, line);
	writer_arm_retry(writer);
}

/* Queues the next piece behind waiting jobs; at the end it is dropped. */
static void
writer_on_step(struct writer *writer, struct writer_job *job)
{
	struct writer_waiter *waiters = job->waiters;
	bool more = job->more;

	if (more && !writer->finishing) {
		writer_hand(writer, job);
		return;
	}
	job->waiters = NULL;
	writer_job_destroy(job);
	writer_waiters_tell(waiters, more ? E_STATE : OK);
}

void
writer_steps(struct writer *writer, writer_step_fn *step, writer_done_fn *done,
	void *arg)
{
	struct writer_job *job = xcalloc(1, sizeof(*job));

	job->kind = WRITER_STEP;
	job->step = step;
	job->more = true;
	writer_waiters_add(&job->waiters, done, arg);
	writer_hand(writer, job);
}

static void
writer_on_own_job(struct writer *writer, struct writer_job *job)
{
	if (job->kind == WRITER_STEP) {
		writer_on_step(writer, job);
		return;
	}
	if (job->kind == WRITER_RESERVE) {
		writer->no_reserve = job->status != OK;
		if (writer->no_reserve)
			writer_arm_retry(writer);
	}
	writer_job_destroy(job);
}

static void
writer_on_job(struct writer *writer, struct writer_job *job)
{
	writer->handed_n--;
	if (writer_is_own(job)) {
		writer_on_own_job(writer, job);
		return;
	}
	TAILQ_REMOVE(&writer->handed, job, line);
	if (job->took_reserve) {
		writer->no_reserve = true;
		writer_arm_retry(writer);
	}
	job->took_reserve = false;
	if (job->status == OK)
		writer_end_job(writer, job, OK);
	else
		writer_hold(writer, job);
	if (writer->unsaved == 0)
		writer->trouble = OK;
}

/* Takes back the jobs that the thread has not begun. */
static void
writer_recall(struct writer *writer)
{
	struct writer_hand jobs;
	struct writer_job *job;

	writer_thread_recall(writer->thread, &jobs);
	while ((job = STAILQ_FIRST(&jobs)) != NULL) {
		STAILQ_REMOVE_HEAD(&jobs, hand);
		writer->handed_n--;
		if (writer_is_own(job)) {
			job->status = E_STATE;
			writer_on_own_job(writer, job);
			continue;
		}
		TAILQ_REMOVE(&writer->handed, job, line);
		writer_absorb(writer, job);
		TAILQ_INSERT_TAIL(&writer->held, job, line);
	}
}

/* Collects the jobs that the thread has finished. */
static void
writer_on_bell(struct writer *writer)
{
	struct writer_hand jobs;
	struct writer_job *job;

	writer_thread_collect(writer->thread, &jobs);
	while ((job = STAILQ_FIRST(&jobs)) != NULL) {
		STAILQ_REMOVE_HEAD(&jobs, hand);
		writer_on_job(writer, job);
	}
	writer_pump(writer);
}

/*
 * Requeues held jobs in their order, before all newer ones; but entries after
 * all others, because some may be too large for the disk for good.
 */
static void
writer_on_retry(struct writer *writer)
{
	struct writer_line entries = TAILQ_HEAD_INITIALIZER(entries);
	struct writer_job *job;

	while ((job = TAILQ_LAST(&writer->held, writer_line)) != NULL) {
		TAILQ_REMOVE(&writer->held, job, line);
		TAILQ_INSERT_HEAD(job->kind == WRITER_ENTRY
				? &entries
				: writer_line_of(writer, job->kind),
			job, line);
	}
	TAILQ_CONCAT(&writer->entries, &entries, line);
	writer->stalled = false;
	writer->entries_due = !TAILQ_EMPTY(&writer->entries);
	if (writer->finishing)
		writer->no_reserve = false;
	if (writer->no_reserve && writer->unsaved == 0) {
		writer->no_reserve = false;
		writer_hand_own(writer, WRITER_RESERVE);
	} else if (writer->no_reserve) {
		writer_arm_retry(writer);
	}
	writer_pump(writer);
}

void
writer_get_status(const struct writer *writer, struct writer_status *status)
{
	const struct writer_job *oldest = TAILQ_FIRST(&writer->all);
	uint64_t now_ns = clock_now_ns();

	*status = (struct writer_status){
		.waiting = writer->waiting,
		.unsaved = writer->unsaved,
		.findings = writer->findings,
		.lost = writer->lost,
		.trouble = writer->trouble,
	};
	if (oldest && now_ns > oldest->since_ns)
		status->behind_ms =
			(now_ns - oldest->since_ns) / CLOCK_NS_PER_MS;
	if (writer->trouble != OK)
		memcpy(status->text, writer->text, sizeof(status->text));
}

/* ---- the end ------------------------------------------------------------ */

static bool
writer_is_done(const struct writer *writer)
{
	return TAILQ_EMPTY(&writer->all) && writer->handed_n == 0;
}

/*
 * A slow disk gets the whole time-out. A disk that refuses everything gets
 * less, counted in tries, because the time of a try does not tell its result.
 */
size_t
writer_finish(struct writer *writer, uint64_t timeout_ms)
{
	uint64_t now_ns = clock_now_ns();
	uint64_t timeout_ns = timeout_ms * CLOCK_NS_PER_MS;
	uint64_t begin_ns = now_ns, retry_ns = now_ns;
	uint64_t waiting;
	unsigned tries = 0;
	struct pollfd bell = { .fd = writer->thread->event_fd,
		.events = POLLIN };

	writer->finishing = true;
	writer->halted = false;
	event_del(writer->retry);
	event_del(writer->gather);
	writer_on_retry(writer);
	writer_hand_own(writer, WRITER_SYNC);
	while (!writer_is_done(writer) && now_ns - begin_ns < timeout_ns &&
		(tries < WRITER_LAST_TRIES || !writer_is_refused(writer))) {
		poll(&bell, 1, WRITER_LAST_RETRY_MS);
		waiting = writer->waiting;
		writer_on_bell(writer);
		now_ns = clock_now_ns();
		if (writer->waiting < waiting) {
			begin_ns = now_ns;
			tries = 0;
		}
		if (now_ns - retry_ns >=
			(uint64_t)WRITER_LAST_RETRY_MS * CLOCK_NS_PER_MS) {
			retry_ns = now_ns;
			tries += !TAILQ_EMPTY(&writer->held);
			writer_on_retry(writer);
		}
	}
	writer_recall(writer);
	writer->halted = true;
	writer_on_refuse(writer);
	return (size_t)(writer->waiting + writer->lost);
}

void
writer_go_on(struct writer *writer)
{
	writer->finishing = writer->halted = false;
	writer_on_retry(writer);
}

/* ---- life --------------------------------------------------------------- */

static void
writer_bell_cb(evutil_socket_t fd, short what, void *arg)
{
	writer_on_bell(arg);
}

static void
writer_retry_cb(evutil_socket_t fd, short what, void *arg)
{
	writer_on_retry(arg);
}

static void
writer_gather_cb(evutil_socket_t fd, short what, void *arg)
{
	struct writer *writer = arg;

	writer->entries_due = true;
	writer_pump(writer);
}

static void
writer_refuse_cb(evutil_socket_t fd, short what, void *arg)
{
	writer_on_refuse(arg);
}

struct writer *
writer_create(struct event_base *base, int dirfd, struct error *err)
{
	struct writer *writer = xcalloc(1, sizeof(*writer));

	TAILQ_INIT(&writer->all);
	TAILQ_INIT(&writer->urgent);
	TAILQ_INIT(&writer->other);
	TAILQ_INIT(&writer->entries);
	TAILQ_INIT(&writer->held);
	TAILQ_INIT(&writer->handed);
	writer->thread = writer_thread_create(dirfd, err);
	if (!writer->thread) {
		free(writer);
		return NULL;
	}
	writer->bell = event_new(base, writer->thread->event_fd,
		EV_READ | EV_PERSIST, writer_bell_cb, writer);
	writer->retry = evtimer_new(base, writer_retry_cb, writer);
	writer->gather = evtimer_new(base, writer_gather_cb, writer);
	writer->refuse = evtimer_new(base, writer_refuse_cb, writer);
	if (event_add(writer->bell, NULL) < 0) {
		error_set(err, E_IO,
			"cannot watch the thread that writes "
			"files");
		writer_destroy(writer);
		return NULL;
	}
	return writer;
}

/* Own jobs are on no list but the thread's. */
static void
writer_end_thread(struct writer *writer)
{
	struct writer_hand left;
	struct writer_job *job;

	writer_thread_destroy(writer->thread, &left);
	while ((job = STAILQ_FIRST(&left)) != NULL) {
		STAILQ_REMOVE_HEAD(&left, hand);
		if (!writer_is_own(job))
			continue;
		writer_waiters_tell(job->waiters, E_STATE);
		writer_job_destroy(job);
	}
}

static void
writer_cancel(struct writer *writer, struct writer_job *job)
{
	TAILQ_REMOVE(&writer->all, job, all);
	writer_waiters_tell(job->waiters, E_STATE);
}

static void
writer_cancel_all(struct writer *writer)
{
	struct writer_job *job;

	/* The time-out is over: a job still in the thread belongs to it. */
	if (writer->finishing && writer->handed_n > 0)
		TAILQ_FOREACH(job, &writer->handed, line)
			writer_cancel(writer, job);
	else
		writer_end_thread(writer);
	while ((job = TAILQ_FIRST(&writer->all)) != NULL) {
		writer_cancel(writer, job);
		writer_job_destroy(job);
	}
	writer_waiters_tell(writer->refused, E_STATE);
}

void
writer_destroy(struct writer *writer)
{
	if (!writer)
		return;
	event_free(writer->bell);
	event_free(writer->retry);
	event_free(writer->gather);
	event_free(writer->refuse);
	writer_cancel_all(writer);
	free(writer);
}
