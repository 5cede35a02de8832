/*
 * writer: a thread that writes files, so that the event loop never blocks on
 * it.
 *
 * Jobs go to the thread through one short list and come back through another,
 * both under one mutex, as is the place of an append; nothing else is shared. A
 * job is read-only while the thread has it. Refused writes are kept in memory and
 * tried again each second until the end, so a full disk costs only memory.
 *
 * Findings come first and are synced to the disk, with their folders, before
 * they are acknowledged. Corpus entries are delayed for a second, unless
 * earlier ones are still being written. Each entry is synced, and their folder
 * once after the last. Only the newest stats.json waits. The journal is
 * appended in order.
 */
#ifndef CFUZZ_STORE_WRITER_H
#define CFUZZ_STORE_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <event2/event.h>

#include "shared/status.h"

/* Bytes of data that may wait; writer_add() never refuses a finding. */
#define WRITER_HELD_MAX (256u << 20)
/* A file whose bytes findings get when the disk is full. */
#define WRITER_RESERVE_LEN (1u << 20)
#define WRITER_RESERVE_NAME ".reserve"

enum writer_kind {
	WRITER_FINDING, /* durable, first in line, may use the reserve */
	WRITER_ENTRY,   /* durable, but delayed for a second */
	WRITER_STATS,   /* atomic, not synced; a newer one replaces it */
	WRITER_JOURNAL, /* appended */
	WRITER_KIND_COUNT
};

/*
 * Called once for each request, from the loop or writer_finish(). OK: on the
 * disk. E_FULL: given up, because too much is waiting. E_STATE: cancelled by
 * writer_destroy(), on the disk or not; then `done` only frees its argument.
 */
typedef void writer_done_fn(void *arg, enum status status);

/* Does a piece of work in the thread. False: done. */
typedef bool writer_step_fn(void *arg);

/* A request; its texts and bytes are copied. */
struct writer_file {
	enum writer_kind kind;
	const char *folder; /* "crashes/x/more", created if missing; "" = top */
	const char *name;
	/* NULL, or the name to use if `name` has other content. */
	const char *other_name;
	const char *head; /* WRITER_JOURNAL: for an empty file; or NULL */
	bool keep;        /* do not replace an existing file */
	bool remove;      /* remove the file */
	bool unsynced;    /* WRITER_FINDING: one of many; … */
	bool sync_all;    /* … the last of them syncs all */
	bool sync; /* WRITER_JOURNAL: sync it to the disk, with its folder */
	/*
	 * WRITER_FINDING, or NULL: a finding's folder ("crashes/x") that this
	 * file replaces. It is removed when this file and all earlier jobs are
	 * on the disk, unless it contains foreign files. With an empty name no
	 * file is written.
	 */
	const char *retire;
	const void *data;
	size_t len;
	writer_done_fn *done; /* may be NULL */
	void *arg;
};

struct writer_status {
	uint64_t waiting;   /* files not done yet */
	uint64_t unsaved;   /* of these, refused by the disk so far */
	uint64_t findings;  /* of those, files of findings */
	uint64_t lost;      /* given up */
	uint64_t behind_ms; /* age of the oldest waiting job */
	/* OK, or the error of the last try: E_FULL, E_IO. */
	enum status trouble;
	char text[ERROR_TEXT_MAX]; /* the same as a message */
};

struct writer;

/* Makes WRITER_RESERVE_NAME anew in the top directory, dirfd (borrowed): its room
 * is given up first when the disk is full. E_FULL: there is no room. */
enum status writer_make_reserve(int dirfd, struct error *err) MUST_CHECK;

/* dirfd: the top directory; the writer duplicates it. NULL: see err. */
struct writer *writer_create(struct event_base *base, int dirfd,
	struct error *err);

/* Adds a request. If WRITER_HELD_MAX is reached, `done` of any other file than
 * a finding's gets E_FULL, from the loop. */
void writer_add(struct writer *writer, const struct writer_file *file);

/*
 * Replaces a waiting entry `name` by this file, so that the older one is never
 * written. True: replaced; the waiters of the older entry are called when the
 * newer one is on the disk. False: it does not wait any more, nothing was done.
 */
bool writer_replace(struct writer *writer, const char *name,
	const struct writer_file *file);

/*
 * Runs other file work of any length: the thread does a piece, then all waiting
 * jobs, then the next piece. Both functions get arg. done, which must not be
 * NULL, gets OK, or E_STATE if the end of the writer cuts the work short.
 */
void writer_steps(struct writer *writer, writer_step_fn *step,
	writer_done_fn *done, void *arg);

void writer_get_status(const struct writer *writer,
	struct writer_status *status);

/*
 * Waits until all jobs are done, with retries, and gives up when nothing was
 * done for timeout_ms: so a slow disk loses nothing. The callbacks of all jobs
 * that are done are called before it returns. Returns the number of files that
 * were not kept: until the next call, or writer_go_on(), they wait, and no other
 * is begun. What the thread is writing when it gives up, may still end.
 */
size_t writer_finish(struct writer *writer, uint64_t timeout_ms);
/* More work follows after writer_finish(): from then on long work was cut
 * short, and nothing was written. What waits is tried at once. */
void writer_go_on(struct writer *writer);

/* After writer_finish(): is the thread at work on the journal, or has it ended
 * since the loop last ran? */
bool writer_appends(const struct writer *writer);
/* Bytes of the journal that the thread's latest append to it fills, or leaves if
 * it fails; both 0: it has not come to that yet. Known before they are written, so
 * ask for the length of the file first. */
struct writer_span {
	uint64_t from, to;
};
struct writer_span writer_last_append(const struct writer *writer);

/* After writer_finish(): calls fn for each file that is not on the disk, oldest
 * first; the file is borrowed during the call. Files that writer_add() refused
 * are not among them. */
typedef void writer_lost_fn(void *arg, const struct writer_file *file);
void writer_each_lost(const struct writer *writer, writer_lost_fn *fn,
	void *arg);

/*
 * Cancels all waiting jobs. NULL is fine. A thread that hangs in a system call
 * is left alone; its writer_steps() get no callback, because it may still use
 * their argument.
 */
void writer_destroy(struct writer *writer);

#endif
