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

#define SHRINKING_MEMORY (8u << 20) /* bytes of history, about */
#define SHRINKING_WORDS 256u        /* reasons that are remembered */

struct shrinking_options {
	bool coverage;  /* an input of the corpus; else one that fails */
	bool reference; /* the reference's phases in its order, no others */
	bool blank;     /* bytes that do not matter are filled … */
	uint8_t filler; /* … with this */
	bool tuples;    /* of a typed target; in our own order then */
};

struct shrinking;

/* data is copied. */
struct shrinking *shrinking_create(const uint8_t *data, size_t len,
	const struct shrinking_options *options);
void shrinking_destroy(struct shrinking *shrinking); /* NULL is fine */

/* ---- now ---- */

const uint8_t *shrinking_best(const struct shrinking *shrinking, size_t *len);
/* Both are 0 in the beginning. */
uint64_t shrinking_tries(const struct shrinking *shrinking);
uint64_t shrinking_accepted(const struct shrinking *shrinking);
uint64_t shrinking_others(const struct shrinking *shrinking);
enum minimize_phase shrinking_phase(const struct shrinking *shrinking);
bool shrinking_is_done(struct shrinking *shrinking);
size_t shrinking_start_len(const struct shrinking *shrinking);
/* Where the phase has got to, and what the next try cuts or replaces. */
void shrinking_cut(struct shrinking *shrinking, uint64_t *position,
	uint64_t *offset, uint64_t *len);

/* ---- at full speed ---- */

/* What a call goes on from, see worker.h; good until something changes. */
const uint64_t *shrinking_state(struct shrinking *shrinking);
const uint8_t *shrinking_other(const struct shrinking *shrinking, size_t *len);

/* What a worker says after a call; nothing of it is trusted. */
struct shrinking_call {
	const uint64_t *state;
	const uint8_t *best, *other; /* other: NULL: none */
	size_t best_len, other_len;
	const uint8_t *marks; /* enum minimize_mark */
	size_t marks_n;
};

/* False: that cannot be; all is as it was. */
bool shrinking_take(struct shrinking *shrinking,
	const struct shrinking_call *call);

/* A worker that did not tell where it stands, only what came of its tries. */
void shrinking_replay(struct shrinking *shrinking, const uint8_t *marks,
	size_t n);

/* ---- try by try ---- */

/* The next candidate, the same until its verdict; NULL: there is none. */
const uint8_t *shrinking_next(struct shrinking *shrinking, size_t *len);

/* What came of it; words say more, or NULL. lost: pairs, of TRY_LOST. */
void shrinking_judge(struct shrinking *shrinking, enum try_verdict verdict,
	uint32_t lost, const char *words);

/* The rest of the phase is left out. False: there is no phase any more. */
bool shrinking_skip(struct shrinking *shrinking);

/*
 * Goes back to before the last accepted cut at or before try `at` (0: the
 * last), which is then refused; what came after is forgotten. False: there is
 * none that is remembered.
 */
bool shrinking_undo(struct shrinking *shrinking, uint64_t at);

/* ---- its history ---- */

/* The oldest try that can be looked back at, 0: at the start. */
uint64_t shrinking_oldest(const struct shrinking *shrinking);

/*
 * All that a view shows, as it stood after try `at` (0: now); first and count
 * are of bytes of the best input. `reply` is empty before, but for its name.
 */
void shrinking_answer(struct shrinking *shrinking, uint64_t at, uint64_t first,
	uint32_t count, struct reply_minimization *reply);

/* "same crash", "lost 2 of 3 bits" …: a verdict in words, of the last try. */
void shrinking_verdict_words(struct shrinking *shrinking, char *buf,
	size_t size);

#endif
