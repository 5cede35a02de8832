/*
 * minimization: one minimization in the engine, with its history.
 *
 * The minimizer (shared/minimize/minimize.h) runs at full speed in a worker,
 * call by call, or here, try by try, when the user steps. Both continue from
 * the same state, so the user may change from one to the other after any try. A
 * worker reports one byte for each try. These bytes and the state at the start
 * of the call reproduce every state in between: that is the history. Its oldest
 * part is dropped when it takes too much memory.
 *
 * This module knows no worker and no finding. Tries are numbered from 1.
 */
#ifndef CFUZZ_FINDINGS_MINIMIZATION_H
#define CFUZZ_FINDINGS_MINIMIZATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "control/query.h"
#include "shared/minimize/minimize.h"

#define MINIMIZATION_MEMORY (8u << 20) /* bytes of history, approximate limit */
#define MINIMIZATION_FILLER ' '
#define MINIMIZATION_WORDS 256u /* reasons that are kept */

struct minimization_options {
	bool coverage; /* keep coverage of a corpus entry; else a failure */
	/* Only the phases of Go's minimizer, in its order. */
	bool reference;
	bool blank;     /* bytes that do not matter are filled with filler */
	uint8_t filler; /* MINIMIZATION_FILLER */
	bool tuples; /* input of a typed target; uses our own order of phases */
};

struct minimization;

/* data and options are copied. */
struct minimization *minimization_create(const uint8_t *data, size_t len,
	const struct minimization_options *options);
void minimization_destroy(struct minimization *s); /* NULL is fine */

/* ---- now ---- */

/* The smallest input accepted so far, valid until the next change. */
const uint8_t *minimization_best(const struct minimization *s, size_t *len);
/* The phase, the tries with a verdict and so on, the start state of a call;
 * valid until the next change. */
const struct minimizer_state *minimization_state(const struct minimization *s);
/* Tries that failed in another way than the input. */
uint64_t minimization_others(const struct minimization *s);
bool minimization_is_done(struct minimization *s);
size_t minimization_start_len(const struct minimization *s);
/* The position in the phase, and the bytes of the best input that the next try
 * changes; *len 0: none of them. */
void minimization_cut(struct minimization *s, uint64_t *position,
	uint64_t *offset, uint64_t *len);

/* ---- at full speed ---- */

/* The copy of the input for MINIMIZE_AGAIN, valid until the next change; NULL:
 * none. */
const uint8_t *minimization_other(const struct minimization *s, size_t *len);

/* The result of a worker's call; not trusted. */
struct minimization_call {
	const struct minimizer_state *state;
	const uint8_t *best, *other; /* other: NULL: none */
	size_t best_len, other_len;
	const uint8_t *marks; /* enum candidate_result */
	size_t marks_n;
};

/* Continues from the state of the result. False: the result is impossible, and
 * nothing has changed. Marks that do not fit the state drop the history. */
bool minimization_take(struct minimization *s,
	const struct minimization_call *call);

/* Applies the marks of a worker that did not report its state, up to the first
 * CANDIDATE_NONE. */
void minimization_replay(struct minimization *s, const uint8_t *marks,
	size_t n);

/* ---- try by try ---- */

/* The next candidate, the same until its verdict, and valid until then; NULL:
 * done. */
const uint8_t *minimization_next(struct minimization *s, size_t *len);

/* Records the verdict of that candidate. lost: the number of features that it
 * does not hit, for TRY_LOST. words: details, or NULL. */
void minimization_judge(struct minimization *s, enum try_verdict verdict,
	uint32_t lost, const char *words);

/* Skips the rest of the phase. False: there is no phase left. */
bool minimization_skip(struct minimization *s);

/*
 * Goes back to before the last accepted cut at or before try `at` (0: the last)
 * and refuses that cut. Later tries are forgotten. False: the history has no
 * such cut.
 */
bool minimization_undo(struct minimization *s, uint64_t at);

/* ---- its history ---- */

/* The number of the oldest try that minimization_answer() can go back to; 0:
 * the start. */
uint64_t minimization_oldest(const struct minimization *s);

/*
 * Fills in all that a view shows, as of try `at` (0: now). first and count are
 * a range of bytes of the best input. `reply` must be empty but for its name;
 * the caller clears it.
 */
void minimization_answer(struct minimization *s, uint64_t at, uint64_t first,
	uint32_t count, struct reply_minimization *reply);

/* The verdict of the last try: "same failure", "lost 2 of its coverage" …; ""
 * before the first. */
void minimization_verdict_words(struct minimization *s, char *buf, size_t size);

#endif
