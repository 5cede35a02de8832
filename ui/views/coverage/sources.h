/*
 * sources: what a module's counters are called and where they stand in the
 * source, asked of a helper process.
 *
 * Asynchronous: the answer comes from the loop. Debug information is foreign
 * input, so the helper may die, hang or answer nonsense; it is then started
 * once more, and after that the answer is why there is none. One question is
 * under way at a time.
 */
#ifndef CFUZZ_UI_VIEWS_COVERAGE_SOURCES_H
#define CFUZZ_UI_VIEWS_COVERAGE_SOURCES_H

#include <stdbool.h>
#include <stdint.h>

#include <event2/event.h>

#include "symbols/source.h"

struct sources_question {
	const char *path, *id;
	const uint64_t *pcs; /* n, as of struct reply_pcs, in native order */
	uint32_t n;
};

/* The table's parts are the receiver's, who clears it; NULL: `why` there is
 * none. */
typedef void sources_done_fn(void *arg, struct source_table *take_table,
	const char *why);

struct sources_config {
	struct event_base *base;
	const char *program; /* NULL: this executable */
	char **argv;         /* NULL: as a helper is called */
	uint64_t silence_ms; /* until a packet must come; 0: 30 s */
	sources_done_fn *done;
	void *arg;
};

struct sources;

struct sources *sources_create(const struct sources_config *config);
/* NULL is fine. */
void sources_destroy(struct sources *sources);

/* False: another question is under way, or it is too large. All is copied. */
bool sources_ask(struct sources *sources,
	const struct sources_question *question);

#endif
