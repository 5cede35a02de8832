/*
 * suspect: inputs that ran when a worker ended through no proven fault of theirs.
 */
#ifndef CFUZZ_ENGINE_TRIAGE_SUSPECT_H
#define CFUZZ_ENGINE_TRIAGE_SUSPECT_H

#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

struct corpus_entry;
struct engine;
struct finding;
struct worker_result;

#define SUSPECT_WAYS 65
#define SUSPECTS_WAITING 16

struct suspects {
	uint64_t count;
	struct finding *waiting[SUSPECTS_WAITING]; /* await replays */
	size_t waiting_n;
	uint64_t ways[SUSPECT_WAYS]; /* by signal; 0: others */
	uint64_t doubted_hangs, slow_inputs;
};

void suspect_on_end(struct engine *e, const struct worker_result *r);
void suspect_on_replay(struct engine *e, struct finding *suspect,
	const struct worker_result *r);
/* A hang becomes a finding if it hangs again with more time. */
void suspect_on_hang(struct engine *e, const struct worker_result *r,
	struct corpus_entry *parent);
/* Removes the suspect's file: it is saved as a finding now. */
void suspect_drop_file(struct engine *e, struct finding *f);
/* Time limits of a suspect's replay: the usual one, and the shortest that is of
 * use. */
uint64_t suspect_hang_ms(const struct engine *e, const struct finding *f);
uint64_t suspect_least_ms(const struct engine *e, const struct finding *f);
struct finding *suspect_next(const struct engine *e, uint64_t room_ms);
void suspect_clear(struct engine *e);
uint64_t suspect_count(const struct engine *e); /* of the whole campaign */
/* Suspects still to be replayed, for stats.json; NULL: none. */
json_t *suspects_left(const struct engine *e);
void suspects_resume(struct engine *e, const json_t *left);
/* Replays the input of a finding's folder that lost its crash.json. */
void suspect_adopt(struct engine *e, const char *folder);

#endif
