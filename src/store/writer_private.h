/*
 * writer_private: what the loop's side of the writer (writer.c) and the
 * thread's side (writer_thread.c) share.
 *
 * A job belongs to the loop, but for the time between writer_hand() and its
 * way back, when the thread alone looks at it. The two lists in struct
 * writer_thread are the only things that both touch, under the mutex.
 */
#ifndef CFUZZ_STORE_WRITER_PRIVATE_H
#define CFUZZ_STORE_WRITER_PRIVATE_H

#include <pthread.h>
#include <sys/queue.h>

#include "store/writer.h"

/* Jobs of our own, behind those of the callers. */
enum writer_own_kind {
	WRITER_RESERVE = WRITER_KIND_COUNT, /* make the reserve again */
	WRITER_SYNC,                        /* corpus folder, now */
	WRITER_STEP,                        /* a piece of something else */
};

/* Several calls may wait for the same file. */
struct writer_waiter {
	writer_done_fn *done;
	void *arg;
	struct writer_waiter *next;
};

struct writer_job {
	unsigned kind; /* enum writer_kind or writer_own_kind */
	char *folder, *name, *other_name, *retire;
	bool keep, sync, remove, unsynced, sync_all;
	writer_step_fn *step; /* with the argument of who waits */
	bool more;            /* … that has not come to its end */
	uint8_t *data;
	size_t len;
	/* the thread's answer */
	enum status status;
	bool took_reserve;
	struct error error;
	/* the loop's */
	bool refused; /* at least once */
	uint64_t since_ns;
	struct writer_waiter *waiters;
	TAILQ_ENTRY(writer_job) all, line;
	STAILQ_ENTRY(writer_job) hand; /* under the mutex */
};

TAILQ_HEAD(writer_line, writer_job);
STAILQ_HEAD(writer_hand, writer_job);

struct writer_thread {
	pthread_t thread;
	pthread_mutex_t mutex;
	pthread_cond_t wake;
	struct writer_hand todo, done; /* under the mutex */
	bool stop;                     /* under the mutex */
	int dirfd, event_fd;           /* fixed before the thread starts */
	/* the thread's own */
	char *dirty;      /* folder with entries that are not synced yet */
	char **missing;   /* folders of findings without their input, … */
	size_t missing_n; /* … as it was refused */
	struct timespec sync_at;
};

/* writer_job.c */
/* The first file of a finding, without which all others are worth nothing. */
bool writer_job_is_input(const struct writer_job *job);
/* done may be NULL: nobody waits. */
void writer_waiters_add(struct writer_waiter **list, writer_done_fn *done,
	void *arg);
void writer_waiters_tell(struct writer_waiter *take_list, enum status status);
void writer_waiters_clear(struct writer_waiter *take_list);
struct writer_job *writer_job_create(const struct writer_file *file);
void writer_job_destroy(struct writer_job *job);
/* It is for that file now, in the same folder. */
void writer_job_rename(struct writer_job *job, const struct writer_file *file);
struct writer_file writer_job_file(const struct writer_job *job); /* borrows */
/* Both are for one file, and the newer content may replace the older. */
bool writer_job_is(const struct writer_job *job,
	const struct writer_file *file);

/* writer_retire.c, on the thread's side: does what writer.h says of it. */
void writer_retire(int top, const char *folder);

/* writer_order.c, on the thread's side */
/* The disk has taken or refused this input of a finding. */
void writer_note_input(struct writer_thread *thread,
	const struct writer_job *job);
/* It belongs to a finding whose input was refused. */
bool writer_waits(const struct writer_thread *thread,
	const struct writer_job *job);
void writer_forget_missing(struct writer_thread *thread);

/* writer_thread.c */

/* The file that is given up first when the disk is full. */
enum status writer_make_reserve(int dirfd, struct error *err) MUST_CHECK;

struct writer_thread *writer_thread_create(int dirfd, struct error *err);

/* Waits for the job in hand. left: all that was not collected. */
void writer_thread_destroy(struct writer_thread *thread,
	struct writer_hand *left);

/* Loop's side: one job to the thread; all that came back. */
void writer_thread_hand(struct writer_thread *thread, struct writer_job *job);
void writer_thread_collect(struct writer_thread *thread,
	struct writer_hand *jobs);

#endif
