/*
 * mutation_origin: notes how an input came about.
 */
#ifndef CFUZZ_ENGINE_TRIAGE_MUTATION_ORIGIN_H
#define CFUZZ_ENGINE_TRIAGE_MUTATION_ORIGIN_H

struct corpus_entry;
struct engine;
struct ring_input;
struct finding;
struct job;
struct worker_result;

/* Logs how a new corpus entry was made from this parent; NULL: logs nothing. */
void mutation_origin_note_input(struct engine *e,
	const struct corpus_entry *entry, struct corpus_entry *parent,
	const struct job *job, const struct ring_input *input);
/* Logs how a finding's input was made; parent NULL: logs nothing. */
void mutation_origin_note_finding(struct engine *e, struct finding *f,
	const struct worker_result *r, struct corpus_entry *parent);

#endif
