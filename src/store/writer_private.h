/*
 * writer_private: shared by the two sides of the writer: the event loop
 * (writer.c, writer_queue.c) and the thread (writer_thread.c, writer_file.c).
 *
 * A job belongs to the loop. Only from writer_hand() until the loop collects it
 * does the thread use it. The two sides share only what struct writer_thread has
 * under the mutex.
 */
#ifndef CFUZZ_STORE_WRITER_PRIVATE_H
#define CFUZZ_STORE_WRITER_PRIVATE_H

#include <pthread.h>
#include <sys/queue.h>

#include "store/writer.h"

/* Jobs of the writer itself, numbered after those of callers. */
enum writer_own_kind {
	WRITER_RESERVE = WRITER_KIND_COUNT, /* create the reserve again */
	WRITER_SYNC,                        /* sync the corpus folder now */
	WRITER_STEP,                        /* a piece of writer_steps() */
};

/* Several calls may wait for the same file. */
struct writer_waiter {
	writer_done_fn *done;
	void *arg;
	struct writer_waiter *next;
};

struct writer_job {
	unsigned kind; /* enum writer_kind or writer_own_kind */
	char *folder, *name, *other_name, *head, *retire;
	bool keep, sync, remove, unsynced, sync_all;
	writer_step_fn *step; /* called with the argument of its waiter */
	bool more;            /* … and not done yet */
	uint8_t *data;
	size_t len;
	/* set by the thread */
	enum status status;
	bool took_reserve;
	struct error error;
	/* for the loop only */
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
	struct writer_span append;     /* under the mutex */
	int dirfd, event_fd;           /* fixed before the thread starts */
	/* for the thread only */
	char *dirty;      /* folder with new names to be synced */
	char **missing;   /* folders of findings without their input, … */
	size_t missing_n; /* … because it was refused */
	struct timespec sync_at;
};

struct writer {
	struct writer_thread *thread;
	struct event *bell, *retry, *gather, *refuse;
	struct writer_line all;     /* oldest first */
	struct writer_line urgent;  /* findings, journal */
	struct writer_line other;   /* stats */
	struct writer_line entries; /* after the others, when due */
	struct writer_line held;    /* refused; wait for the next try */
	struct writer_line handed;  /* in the thread */
	unsigned handed_n;          /* handed jobs and own jobs */
	bool entries_due;           /* until all entries are handed over */
	bool stalled;               /* only urgent jobs before the next try */
	bool no_reserve;            /* the reserve was used up */
	bool finishing;             /* since writer_finish() … */
	bool halted; /* … has returned: nothing is handed over */
	uint64_t waiting, unsaved, findings, lost;
	/* Refused by writer_add(); called from the loop. */
	struct writer_waiter *refused;
	size_t bytes; /* data of all jobs */
	enum status trouble;
	char text[sizeof(((struct writer_status *)NULL)->text)];
};

/* writer_queue.c, in the loop */
/* Findings and the journal come before all other jobs. */
bool writer_is_urgent(unsigned kind);
struct writer_line *writer_line_of(struct writer *writer, unsigned kind);
/* Adds the job to the numbers of waiting jobs, or subtracts it: 1, -1. */
void writer_count(struct writer *writer, const struct writer_job *job,
	int sign);
/* Removes a job from the list of all, calls its waiters, frees it. */
void writer_end_job(struct writer *writer, struct writer_job *job,
	enum status status);
/* Finds a job for the same replaceable file that is not in the thread. */
struct writer_job *writer_find_waiting(struct writer *writer,
	const struct writer_file *file);
/* Finds an entry that waits. A refused one may have reached the disk: it is not
 * found. */
struct writer_job *writer_find_entry(struct writer *writer, const char *folder,
	const char *name);
void writer_set_data(struct writer *writer, struct writer_job *job,
	uint8_t *take, size_t len);
/* Newer content replaces the older; for a journal it is appended. */
void writer_merge(struct writer *writer, struct writer_job *job,
	const struct writer_file *file);
/*
 * Merges a refused job with a newer one for the same file: the older job gets
 * the newer content (a journal: both) and all waiters.
 */
void writer_absorb(struct writer *writer, struct writer_job *job);
/* Is nothing in the thread, and was each job refused, or does it wait for one
 * that was? */
bool writer_is_refused(const struct writer *writer);
/* The job to be handed to the thread; NULL: none now. */
struct writer_job *writer_next(struct writer *writer);

/* writer_job.c */
/* Is it the first file of a finding, without which the others are useless? */
bool writer_job_is_input(const struct writer_job *job);
/* done may be NULL: then nothing is added. */
void writer_waiters_add(struct writer_waiter **list, writer_done_fn *done,
	void *arg);
void writer_waiters_tell(struct writer_waiter *take_list, enum status status);
struct writer_job *writer_job_create(const struct writer_file *file);
/* The caller has called its waiters. */
void writer_job_destroy(struct writer_job *job);
/* Changes the name of the file, within the same folder. */
void writer_job_rename(struct writer_job *job, const struct writer_file *file);
struct writer_file writer_job_file(const struct writer_job *job); /* borrows */
/* Do both write or remove the same file, so that the newer may replace the
 * older? */
bool writer_job_is(const struct writer_job *job,
	const struct writer_file *file);

/* writer_retire.c, in the thread: removes a folder, see `retire` in
 * writer.h. */
void writer_retire(int top, const char *folder);

/* writer_order.c, in the thread */
/* Notes that the disk has taken or refused the input of a finding. */
void writer_note_input(struct writer_thread *thread,
	const struct writer_job *job);
/* Does it belong to a finding with a refused input? */
bool writer_waits(const struct writer_thread *thread,
	const struct writer_job *job);
void writer_forget_missing(struct writer_thread *thread);

/* writer_file.c, in the thread */
/* Opens "a/b/c" below the top, part by part, without following links. Missing
 * folders are created; durable: the parent of each part is synced. */
enum status writer_open_folder(int top, const char *folder, bool durable,
	int *fd, struct error *err) MUST_CHECK;
/* Does the job of a file or a line; on failure job->error says why. */
enum status writer_run_once(struct writer_thread *thread,
	struct writer_job *job);

/* writer_thread.c. NULL: see err. */
struct writer_thread *writer_thread_create(int dirfd, struct error *err);

/* Waits for the job under way. left: all jobs not collected. */
void writer_thread_destroy(struct writer_thread *thread,
	struct writer_hand *left);

/* For the loop: hands over a job; takes all back that are not begun; collects
 * all finished jobs. */
void writer_thread_hand(struct writer_thread *thread, struct writer_job *job);
void writer_thread_recall(struct writer_thread *thread,
	struct writer_hand *jobs);
void writer_thread_collect(struct writer_thread *thread,
	struct writer_hand *jobs);
/* Notes where the present append to the journal writes, before it does. */
void writer_thread_note(struct writer_thread *thread, struct writer_span span);
struct writer_span writer_thread_append(struct writer_thread *thread);

#endif
