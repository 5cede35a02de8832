/*
 * dedup: chooses the finding, and so the bucket, of a failure.
 */
#ifndef CFUZZ_ENGINE_TRIAGE_DEDUP_H
#define CFUZZ_ENGINE_TRIAGE_DEDUP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

struct engine;
struct failure;
struct finding;

/* Distinct findings; further ones of a kind are one finding. */
#define DEDUP_FINDINGS_MAX 1000u

/* The finding of a stack hash, or of a failure; NULL: it is new. */
struct finding *dedup_find_stack_hash(struct engine *e, uint64_t stack_hash);
struct finding *dedup_find(struct engine *e, const struct failure *failure);
/* Makes a new finding, owned by the caller until findings_add() takes it. Its
 * stack hash is not looked up before dedup_add_stack_hash(): a suspect that proves
 * nothing leaves nothing here. */
struct finding *dedup_create(struct engine *e, const struct failure *failure);
/* The known finding of a suspect that failed again with more time, alone or after
 * other inputs. NULL: there is none; a suspect without a stack then has that of the
 * second run, and is the finding of all further failures of its kind if there is no
 * room. */
struct finding *dedup_find_again(struct engine *e, struct finding *f,
	const struct failure *again, bool alone);
/* Adds a stack hash: failures that have it belong to the finding, too. Nothing
 * happens if the finding is that of all further failures of a kind, or if there
 * is no room. */
void dedup_add_stack_hash(struct engine *e, const struct finding *f,
	uint64_t stack_hash);
/*
 * Computes the bucket: the names are final. *into: the finding into which this
 * one is to be merged; NULL: none. False: not now, because a worker still uses
 * the finding.
 */
bool dedup_settle(struct engine *e, struct finding *f, struct finding **into);
/* Owns a merged finding from now on, and moves its stack hashes. */
void dedup_keep_merged(struct engine *e, struct finding *take_finding,
	struct finding *into);
/* The finding that one with this id or folder was merged into; NULL: none. */
struct finding *dedup_find_merged(const struct engine *e, const char *id);
/* Restores a finding of an earlier run from its crash.json. */
void dedup_resume(struct engine *e, struct finding *f, const json_t *info);
void dedup_clear(struct engine *e);
/* Lists the stack hashes of a bucket's failures, at most `room`; returns their
 * number. */
size_t dedup_stack_hashes(const struct engine *e, uint64_t bucket,
	uint64_t *list, size_t room);

#endif
