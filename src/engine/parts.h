/*
 * parts: the parts of the engine, for code that works on the whole campaign.
 *
 * Only a few files see struct engine itself (engine_private.h). The engine owns
 * all parts; they live as long as the engine.
 */
#ifndef CFUZZ_ENGINE_PARTS_H
#define CFUZZ_ENGINE_PARTS_H

#include <stdbool.h>
#include <stdint.h>

#include "control/settings.h"

struct campaign_memory;
struct corpus;
struct corpus_list;
struct energy;
struct engine;
struct event;
struct event_base;
struct export;
struct hooks;
struct mutation_logs;
struct mutator_stats;
struct names;
struct run_clock;
struct server;
struct store;

struct event_base *engine_base(const struct engine *e);
const struct settings *engine_settings(const struct engine *e);
/* The same, to be changed. */
struct settings *engine_change_settings(struct engine *e);
struct store *engine_store(const struct engine *e);
const char *engine_output_path(const struct engine *e);
struct run_clock *engine_clock(const struct engine *e);
bool engine_paused(const struct engine *e);

/* The corpus and what is known of its inputs. */
struct campaign_memory *engine_memory(const struct engine *e);
struct corpus *engine_corpus(const struct engine *e);
struct energy *engine_energy(const struct engine *e);
struct corpus_list *engine_corpus_list(const struct engine *e);
struct mutation_logs *engine_mutation_logs(const struct engine *e);
struct mutator_stats *engine_mutator_stats(const struct engine *e);

/* The client of the symbols helper: functions and lines of addresses. */
struct names *engine_names(const struct engine *e);
/* The control socket; NULL: none. */
struct server *engine_server(const struct engine *e);
/* The commands of --on-finding and --on-end; NULL: none. */
struct hooks *engine_hooks(const struct engine *e);
/* The export under way; NULL: none. */
struct export *engine_export(const struct engine *e);
void engine_set_export(struct engine *e, struct export *export);
uint64_t engine_next_snapshot(struct engine *e); /* its number, from 1 */
/* Activated again and again while files are loaded. */
struct event *engine_load_event(const struct engine *e);

void engine_set_paused(struct engine *e, bool paused);
/* Seconds of the whole campaign, including earlier runs, without pauses. */
double engine_campaign_s(const struct engine *e);
/* Executions that count for a limit, with those of calls under way, which are
 * sampled. */
uint64_t engine_executions(const struct engine *e);

/* The parts whose structs only their owners see. */
struct counts *engine_counts(const struct engine *e);
struct dedup *engine_dedup(const struct engine *e);
struct earlier_runs *engine_earlier_runs(const struct engine *e);
struct engine_end *engine_end(const struct engine *e);
struct findings *engine_findings_list(const struct engine *e);
struct limit_effects *engine_limit_effects(const struct engine *e);
struct load *engine_load(const struct engine *e);
struct messages *engine_messages(const struct engine *e);
struct minimize_tasks *engine_minimize_tasks(const struct engine *e);
struct minimized *engine_minimized(const struct engine *e);
struct mutator *engine_mutator(const struct engine *e);
struct naming *engine_naming(const struct engine *e);
struct engine_coverage *engine_coverage_part(const struct engine *e);
struct over *engine_over_part(const struct engine *e);
struct new_functions *engine_new_functions(const struct engine *e);
struct pc_table_calls *engine_pc_tables(const struct engine *e);
struct pool *engine_pool(const struct engine *e);
struct program *engine_program(const struct engine *e);
struct schedule *engine_schedule(const struct engine *e);
struct statistics *engine_statistics(const struct engine *e);
struct suspects *engine_suspects(const struct engine *e);
struct trims *engine_trims(const struct engine *e);

#endif
