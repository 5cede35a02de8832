/*
 * writer: a thread that writes files, so that the event loop never does.
 *
 * Jobs go to the thread through a short list and come back through another,
 * both under one mutex; nothing else is shared. A job is read-only while the
 * thread has it. What the disk refuses is kept in memory and tried again each
 * second until the end, so a full disk costs nothing but memory.
 *
 * Findings come first and are synced to the disk, their folders too, before
 * they are acknowledged. Corpus entries are gathered for a second, unless
 * the disk is behind; then they are synced one by one, and their folder once
 * behind the last. Of stats.json only the newest waits. The journal is
 * appended to in order.
 */
#ifndef CFUZZ_STORE_WRITER_H
#define CFUZZ_STORE_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <event2/event.h>

#include "shared/status.h"

#define WRITER_HELD_MAX (256u << 20) /* bytes that may wait; findings: more */
#define WRITER_RESERVE_LEN (1u << 20)
#define WRITER_RESERVE_NAME ".reserve"

enum writer_kind {
	WRITER_FINDING, /* durable, first in line, may use the reserve */
	WRITER_ENTRY,   /* durable, but gathered for a second */
	WRITER_STATS,   /* whole, not synced; a newer one replaces it */
	WRITER_JOURNAL, /* appended */
	WRITER_KIND_COUNT
};

/* On the disk: OK. Given up (too much waits already): E_FULL. From the loop or
 * writer_finish(), never while something is added. */
typedef void writer_done_fn(void *arg, enum status status);

/* Does a piece of something in the thread. False: it is done. */
typedef bool writer_step_fn(void *arg);

struct writer_file {
	enum writer_kind kind;
	const char *folder; /* "crashes/x/more", made if missing; "" = top */
	const char *name;
	const char *other_name; /* NULL, or: used if name has other content */
	bool keep;              /* an existing file is not replaced */
	bool remove;            /* take the file away */
	bool unsynced;          /* WRITER_FINDING: of many; … */
	bool sync_all;          /* … the last of them syncs all there is */
	bool sync;              /* WRITER_JOURNAL: to the disk, as the folder */
	/*
	 * WRITER_FINDING, NULL or: a finding's folder ("crashes/x") in whose
	 * place this file is kept. It is taken away when the file is on the
	 * disk and all that was added before is, unless something in it is
	 * not ours. An empty name: there is no file to be written.
	 */
	const char *retire;
	const void *data; /* copied */
	size_t len;
	writer_done_fn *done; /* may be NULL */
	void *arg;
};

struct writer_status {
	uint64_t waiting;    /* files not yet done */
	uint64_t unsaved;    /* of them, refused by the disk so far */
	uint64_t findings;   /* of those, files of findings */
	uint64_t lost;       /* given up */
	uint64_t behind_ms;  /* age of the oldest that waits */
	enum status trouble; /* OK, or how the last try failed: E_FULL, E_IO */
	char text[256];      /* in words */
};

struct writer;

/* dirfd: the top directory; the writer has a duplicate of its own. */
struct writer *writer_create(struct event_base *base, int dirfd,
	struct error *err);

void writer_add(struct writer *writer, const struct writer_file *file);

/*
 * An entry of that name need not be written any more if this one is: true if
 * it still waits. Then the file takes its place, and who waits for the older
 * one is told when the newer one is on the disk. False: nothing was done.
 */
bool writer_replace(struct writer *writer, const char *name,
	const struct writer_file *file);

/*
 * Other work with files, of any length: the thread does a piece, then whatever
 * waits, then the next piece. At the end it is cut short: then done hears
 * E_STATE, and otherwise OK.
 */
void writer_steps(struct writer *writer, writer_step_fn *step,
	writer_done_fn *done, void *arg);

void writer_get_status(const struct writer *writer,
	struct writer_status *status);

/*
 * The end: waits until all is done, trying again what the disk refuses, and
 * gives up when nothing got done for this long: a slow disk loses nothing.
 * Acknowledgements are given before it returns. Returns how many files could
 * not be kept.
 */
size_t writer_finish(struct writer *writer, uint64_t timeout_ms);

/* After that: each file that is not on the disk, oldest first. */
typedef void writer_lost_fn(void *arg, const struct writer_file *file);
void writer_each_lost(const struct writer *writer, writer_lost_fn *fn,
	void *arg);

/* Gives up what still waits. NULL is fine. A thread that hangs in a system
 * call is left alone. */
void writer_destroy(struct writer *writer);

#endif
