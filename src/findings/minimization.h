/*
 * minimization: one minimization as the engine sees it, with its history.
 *
 * The minimizer (shared/minimize/minimize.h) runs at full speed in a worker, call by
 * call, or here, try by try, for an operator who steps. Both ways go on from
 * the same state, so one may change to the other after any try. What a worker
 * tells of its tries is a byte for each; with the state that the call began
 * with, every moment in between can be made again: that is the history. The
 * oldest part of it goes when it takes too much memory.
 *
 * It knows no worker and no finding. All numbers of tries count from 1.
 */
#ifndef CFUZZ_FINDINGS_MINIMIZATION_H
#define CFUZZ_FINDINGS_MINIMIZATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "control/query.h"
#include "shared/minimize/minimize.h"

#define MINIMIZATION_MEMORY (8u << 20) /* bytes of history, about */
#define MINIMIZATION_WORDS 256u        /* reasons that are remembered */

struct minimization_options {
	bool coverage;  /* an input of the corpus; else one that fails */
	bool reference; /* the reference's phases in its order, no others */
	bool blank;     /* bytes that do not matter are filled … */
	uint8_t filler; /* … with this */
	bool tuples;    /* of a typed target; in our own order then */
};

struct minimization;

/* data is copied. */
struct minimization *minimization_create(const uint8_t *data, size_t len,
	const struct minimization_options *options);
void minimization_destroy(struct minimization *shrinking); /* NULL is fine */

/* ---- now ---- */

const uint8_t *minimization_best(const struct minimization *shrinking,
	size_t *len);
/* Both are 0 in the beginning. */
uint64_t minimization_tries(const struct minimization *shrinking);
uint64_t minimization_accepted(const struct minimization *shrinking);
uint64_t minimization_others(const struct minimization *shrinking);
enum minimize_phase minimization_phase(const struct minimization *shrinking);
bool minimization_is_done(struct minimization *shrinking);
size_t minimization_start_len(const struct minimization *shrinking);
/* Where the phase has got to, and what the next try cuts or replaces. */
void minimization_cut(struct minimization *shrinking, uint64_t *position,
	uint64_t *offset, uint64_t *len);

/* ---- at full speed ---- */

/* What a call goes on from, see worker.h; good until something changes. */
const uint64_t *minimization_state(struct minimization *shrinking);
const uint8_t *minimization_other(const struct minimization *shrinking,
	size_t *len);

/* What a worker says after a call; nothing of it is trusted. */
struct minimization_call {
	const uint64_t *state;
	const uint8_t *best, *other; /* other: NULL: none */
	size_t best_len, other_len;
	const uint8_t *marks; /* enum minimize_mark */
	size_t marks_n;
};

/* False: that cannot be; all is as it was. */
bool minimization_take(struct minimization *shrinking,
	const struct minimization_call *call);

/* A worker that did not tell where it stands, only what came of its tries. */
void minimization_replay(struct minimization *shrinking, const uint8_t *marks,
	size_t n);

/* ---- try by try ---- */

/* The next candidate, the same until its verdict; NULL: there is none. */
const uint8_t *minimization_next(struct minimization *shrinking, size_t *len);

/* What came of it; words say more, or NULL. lost: pairs, of TRY_LOST. */
void minimization_judge(struct minimization *shrinking,
	enum try_verdict verdict, uint32_t lost, const char *words);

/* The rest of the phase is left out. False: there is no phase any more. */
bool minimization_skip(struct minimization *shrinking);

/*
 * Goes back to before the last accepted cut at or before try `at` (0: the
 * last), which is then refused; what came after is forgotten. False: there is
 * none that is remembered.
 */
bool minimization_undo(struct minimization *shrinking, uint64_t at);

/* ---- its history ---- */

/* The oldest try that can be looked back at, 0: at the start. */
uint64_t minimization_oldest(const struct minimization *shrinking);

/*
 * All that a view shows, as it stood after try `at` (0: now); first and count
 * are of bytes of the best input. `reply` is empty before, but for its name.
 */
void minimization_answer(struct minimization *shrinking, uint64_t at,
	uint64_t first, uint32_t count, struct reply_minimization *reply);

/* "same crash", "lost 2 of 3 bits" …: a verdict in words, of the last try. */
void minimization_verdict_words(struct minimization *shrinking, char *buf,
	size_t size);

#endif
