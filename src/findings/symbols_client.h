/*
 * symbols_client: asks the helper process what addresses are called.
 *
 * Asynchronous and never blocking: a question is queued, the answer comes by
 * a callback. The helper is started by the first question and ended when
 * there was none for a while. One that dies, takes too long or answers
 * nonsense is killed, and the question is put to a new one; a file that does
 * this to three of them is not asked about any more. So an answer always
 * comes, if only an empty one.
 */
#ifndef CFUZZ_FINDINGS_SYMBOLS_CLIENT_H
#define CFUZZ_FINDINGS_SYMBOLS_CLIENT_H

#include <stdbool.h>
#include <stdint.h>

#include <event2/event.h>

#include "symbols/symbol.h"

#define SYMBOLS_PLACES_MAX 32u /* in one question */
#define SYMBOLS_QUEUE_MAX 64u  /* questions that wait */

struct symbols_place {
	const char *path; /* of the file, absolute; NULL: not known */
	const char *id;   /* build-id that the file must have, or NULL */
	uint64_t offset;
	uint32_t
		source; /* 0, or the lines around symbol source - 1 are wanted */
};

/* Cleaned text. */
struct symbols_answer {
	uint32_t n;       /* as many as places were asked for */
	bool blind;       /* there is nothing to read debug information with */
	uint32_t lines_n; /* of the last place that wanted them */
	struct symbol_line lines[SYMBOL_LINES_MAX];
	struct symbols_at {
		uint32_t n; /* 0: nothing known; else innermost first */
		struct symbol *symbols;
	} at[SYMBOLS_PLACES_MAX];
};

/* The answer is the receiver's: symbols_answer_destroy(). */
typedef void symbols_done_fn(void *arg, struct symbols_answer *take_answer);

struct symbols_client_config {
	struct event_base *base;
	const char *program; /* NULL: this executable */
	char **argv;         /* NULL: as a helper is called */
	uint64_t request_ms; /* 0: 5 s */
	uint64_t idle_ms;    /* 0: 10 s */
};

struct symbols_client;

struct symbols_client *symbols_client_create(
	const struct symbols_client_config *config);
/* Questions under way are dropped without a callback. NULL is fine. */
void symbols_client_destroy(struct symbols_client *client);

/*
 * A stack of n places, all copied. `done` comes later, from the loop. False:
 * too many questions wait, it will not come.
 */
bool symbols_ask(struct symbols_client *client,
	const struct symbols_place *places, uint32_t n, symbols_done_fn *done,
	void *arg);

void symbols_answer_destroy(struct symbols_answer *answer); /* NULL is fine */

#endif
