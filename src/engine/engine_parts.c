/*
 * engine_parts: the functions of parts.h.
 *
 * The parts are members of struct engine. A caller with a const engine may
 * change them, as if they were behind pointers. Hence the casts.
 */
#include "engine/parts.h"

#include "engine/engine_private.h"

const struct settings *
engine_settings(const struct engine *e)
{
	return &e->settings;
}

struct settings *
engine_change_settings(struct engine *e)
{
	return &e->settings;
}

const char *
engine_output_path(const struct engine *e)
{
	return e->output_path;
}

bool
engine_paused(const struct engine *e)
{
	return e->clock.paused;
}

void
engine_set_export(struct engine *e, struct export *export)
{
	e->front.exporting = export;
}

uint64_t
engine_next_snapshot(struct engine *e)
{
	return ++e->front.snapshot_seq;
}

struct event_base *
engine_base(const struct engine *e)
{
	return e->base;
}

struct store *
engine_store(const struct engine *e)
{
	return e->store;
}

struct run_clock *
engine_clock(const struct engine *e)
{
	return (struct run_clock *)&e->clock;
}

struct campaign_memory *
engine_memory(const struct engine *e)
{
	return (struct campaign_memory *)&e->campaign.memory;
}

struct corpus *
engine_corpus(const struct engine *e)
{
	return e->campaign.corpus;
}

struct energy *
engine_energy(const struct engine *e)
{
	return e->campaign.energy;
}

struct corpus_list *
engine_corpus_list(const struct engine *e)
{
	return e->campaign.list;
}

struct mutation_logs *
engine_mutation_logs(const struct engine *e)
{
	return e->campaign.logs;
}

struct mutator_stats *
engine_mutator_stats(const struct engine *e)
{
	return (struct mutator_stats *)&e->campaign.stats;
}

struct server *
engine_server(const struct engine *e)
{
	return e->front.server;
}

struct export *
engine_export(const struct engine *e)
{
	return e->front.exporting;
}

struct event *
engine_load_event(const struct engine *e)
{
	return e->timers.load;
}

struct counts *
engine_counts(const struct engine *e)
{
	return (struct counts *)&e->counts;
}

struct earlier_runs *
engine_earlier_runs(const struct engine *e)
{
	return (struct earlier_runs *)&e->earlier;
}

struct engine_end *
engine_end(const struct engine *e)
{
	return (struct engine_end *)&e->end;
}

struct limit_effects *
engine_limit_effects(const struct engine *e)
{
	return (struct limit_effects *)&e->effects;
}

struct load *
engine_load(const struct engine *e)
{
	return (struct load *)&e->load;
}

struct messages *
engine_messages(const struct engine *e)
{
	return (struct messages *)&e->messages;
}

struct new_functions *
engine_new_functions(const struct engine *e)
{
	return e->new_functions;
}

struct pc_table_calls *
engine_pc_tables(const struct engine *e)
{
	return (struct pc_table_calls *)&e->pc_tables;
}

struct pool *
engine_pool(const struct engine *e)
{
	return (struct pool *)&e->pool;
}

struct program *
engine_program(const struct engine *e)
{
	return (struct program *)&e->target;
}

struct schedule *
engine_schedule(const struct engine *e)
{
	return (struct schedule *)&e->schedule;
}

struct trims *
engine_trims(const struct engine *e)
{
	return (struct trims *)&e->trims;
}

struct findings *
engine_findings_list(const struct engine *e)
{
	return (struct findings *)&e->findings;
}

struct minimized *
engine_minimized(const struct engine *e)
{
	return (struct minimized *)&e->minimized;
}

struct names *
engine_names(const struct engine *e)
{
	return e->naming.names;
}

struct statistics *
engine_statistics(const struct engine *e)
{
	return (struct statistics *)&e->statistics;
}

struct dedup *
engine_dedup(const struct engine *e)
{
	return (struct dedup *)&e->dedup;
}

struct naming *
engine_naming(const struct engine *e)
{
	return (struct naming *)&e->naming;
}

struct suspects *
engine_suspects(const struct engine *e)
{
	return (struct suspects *)&e->suspects;
}

struct minimize_tasks *
engine_minimize_tasks(const struct engine *e)
{
	return (struct minimize_tasks *)&e->minimize;
}

struct mutator *
engine_mutator(const struct engine *e)
{
	return (struct mutator *)&e->mutator;
}
