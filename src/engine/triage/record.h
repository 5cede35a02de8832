/*
 * record: writes the files of a finding and announces it.
 */
#ifndef CFUZZ_ENGINE_TRIAGE_RECORD_H
#define CFUZZ_ENGINE_TRIAGE_RECORD_H

#include <stddef.h>

#include <jansson.h>

#include "store/writer.h"

struct engine;
struct finding;
struct worker_result;

/* The mutations that made the candidate: an array, a new reference. */
json_t *record_mutations(const struct worker_result *r);
/* crash.json, without the members of finding_details_put(): a new reference.
 * NULL: jansson failed. */
json_t *record_json(const struct engine *e, const struct finding *f);
/* Gives the whole crash.json to the writer. */
void record_save_json(struct engine *e, const struct finding *f);
/* Gives report.txt to the writer: the report, which is cleaned, and the named
 * stack. */
void record_put_report(struct engine *e, const struct finding *f,
	const char *report, size_t len);
/* Keeps a copy of the report in f->report, to be written when its names are
 * known. */
void record_take_report(struct finding *f, const struct worker_result *r);
/* The same, and writes it at once. */
void record_save_report(struct engine *e, struct finding *f,
	const struct worker_result *r);
/* Reports to the front end alone that a known finding failed in this run. */
void record_report_again(struct engine *e, const struct finding *f);
/* Announces a saved finding to journal, front end and --on-finding. Call it
 * once for a finding. */
void record_announce(struct engine *e, struct finding *f);
/* Announces that a fixed finding has failed again. */
void record_announce_back(struct engine *e, const struct finding *f);
/* Reports the finding's change when the writer has acknowledged all its files
 * (record_on_kept), or at once in a deterministic run. */
void record_when_kept(struct engine *e, struct finding *f);
/* At the end: tells all of an input that is not on the disk, to people, as an
 * event "unsaved" to the front end alone, and with message_last_words(). Of more
 * than 64 KiB the start. f: its finding; NULL: unknown. */
void record_tell_unsaved(struct engine *e, const struct finding *f,
	const struct writer_file *file);
/* For files that f->pending_writes counts; arg: the finding. */
writer_done_fn record_on_kept;

#endif
