/*
 * symbols_client: asks the helper process for the names of addresses.
 *
 * Asynchronous, never blocking: a question is queued, the answer comes by a
 * callback. The first question starts the helper; an idle helper is ended after
 * a while. A helper that dies, takes too long or answers nonsense is killed,
 * and a new one gets the question. A file that ends three helpers is not asked
 * about any more. So an answer always comes, even if it is empty.
 */
#ifndef CFUZZ_FINDINGS_SYMBOLS_CLIENT_H
#define CFUZZ_FINDINGS_SYMBOLS_CLIENT_H

#include <stdbool.h>
#include <stdint.h>

#include <event2/event.h>

#include "symbols/symbol.h"

#define SYMBOLS_PLACES_MAX 32u /* in one question */
#define SYMBOLS_QUEUE_MAX 64u  /* questions in the queue */

struct symbols_place {
	const char *path; /* absolute path of the file; NULL: unknown */
	const char *id;   /* build-id that the file must have, or NULL */
	uint64_t offset;  /* virtual address in the file */
	/* N: also the source lines around symbol N - 1; 0: none. */
	uint32_t source;
};

/* All text is cleaned. */
struct symbols_answer {
	uint32_t n; /* as many as there were places, in their order */
	bool blind; /* no library to read debug information is installed */
	uint32_t lines_n; /* of the last place that requested lines */
	struct symbol_line lines[SYMBOL_LINES_MAX];
	struct symbols_at {
		uint32_t n; /* 0: unknown; else innermost first */
		struct symbol *symbols;
	} at[SYMBOLS_PLACES_MAX];
};

/* The receiver owns the answer: symbols_answer_destroy(). */
typedef void symbols_done_fn(void *arg, struct symbols_answer *take_answer);

struct symbols_client_config {
	struct event_base *base;
	const char *program; /* NULL: this executable */
	char **argv;         /* NULL: the helper's usual arguments */
	uint64_t request_ms; /* longest wait for one place; 0: 5 s */
	uint64_t idle_ms;    /* until an idle helper is ended; 0: 10 s */
};

struct symbols_client;

/* Copies the config, but not the strings in it. */
struct symbols_client *symbols_client_create(
	const struct symbols_client_config *config);
/* Drops questions under way without a callback. NULL is fine. */
void symbols_client_destroy(struct symbols_client *client);

/*
 * Queues a question about n places, all copied; those beyond SYMBOLS_PLACES_MAX
 * are left out. `done` is called later, from the loop. False: the queue is
 * full, and `done` will not be called.
 */
bool symbols_ask(struct symbols_client *client,
	const struct symbols_place *places, uint32_t n, symbols_done_fn *done,
	void *arg);

void symbols_answer_destroy(struct symbols_answer *answer); /* NULL is fine */

#endif
