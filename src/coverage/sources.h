/*
 * sources: asks a helper process for names and source lines of a module's edge
 * counters.
 *
 * The reply comes from the event loop. Debug information is foreign input: if
 * the helper dies, hangs or sends nonsense, it is started once more; if it
 * fails again, the reply is an error. Only one request runs at a time.
 */
#ifndef CFUZZ_COVERAGE_SOURCES_H
#define CFUZZ_COVERAGE_SOURCES_H

#include <stdbool.h>
#include <stdint.h>

#include <event2/event.h>

#include "symbols/source.h"

struct sources_question {
	const char *path, *id;
	const uint64_t *pcs; /* n, as in struct reply_pcs, native order */
	uint32_t n;
};

/* The receiver may take the table's content, if it sets the table to zero; the
 * rest is freed after the call. NULL: `why` says why there is no table. */
typedef void sources_done_fn(void *arg, struct source_table *take_table,
	const char *why);

struct sources_config {
	struct event_base *base;
	const char *program; /* NULL: this program */
	char **argv;         /* NULL: the helper's usual arguments */
	uint64_t silence_ms; /* longest wait for a packet; 0: 30 s */
	sources_done_fn *done;
	void *arg;
};

struct sources;

/* Copies the config, but not the strings in it. */
struct sources *sources_create(const struct sources_config *config);
/* Ends the helper; an open request gets no reply. NULL is fine. */
void sources_destroy(struct sources *sources);

/* Copies the question. False: it is too large, another request runs, or no
 * memory file can be made. */
bool sources_ask(struct sources *sources,
	const struct sources_question *question);

#endif
