/*
 * engine_parts: the functions of parts.h.
 *
 * A caller with a const engine may change the parts, as if all were behind
 * pointers. Hence the cast.
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

struct hooks *
engine_hooks(const struct engine *e)
{
	return e->front.hooks;
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

/* A part that is a member of struct engine, and one behind a pointer. */
#define PART_MEMBER(TYPE, NAME, MEMBER) \
	struct TYPE *engine_##NAME(const struct engine *e) \
	{ \
		return (struct TYPE *)&e->MEMBER; \
	}
#define PART_POINTER(TYPE, NAME, MEMBER) \
	struct TYPE *engine_##NAME(const struct engine *e) \
	{ \
		return e->MEMBER; \
	}

PART_MEMBER(run_clock, clock, clock)
PART_MEMBER(campaign_memory, memory, campaign.memory)
PART_MEMBER(mutator_stats, mutator_stats, campaign.stats)
PART_MEMBER(counts, counts, counts)
PART_MEMBER(earlier_runs, earlier_runs, earlier)
PART_MEMBER(engine_end, end, end)
PART_MEMBER(over, over_part, over)
PART_MEMBER(engine_coverage, coverage_part, coverage)
PART_MEMBER(limit_effects, limit_effects, effects)
PART_MEMBER(load, load, load)
PART_MEMBER(messages, messages, messages)
PART_MEMBER(pc_table_calls, pc_tables, pc_tables)
PART_MEMBER(pool, pool, pool)
PART_MEMBER(program, program, target)
PART_MEMBER(schedule, schedule, schedule)
PART_MEMBER(trims, trims, trims)
PART_MEMBER(findings, findings_list, findings)
PART_MEMBER(minimized, minimized, minimized)
PART_MEMBER(statistics, statistics, statistics)
PART_MEMBER(dedup, dedup, dedup)
PART_MEMBER(naming, naming, naming)
PART_MEMBER(suspects, suspects, suspects)
PART_MEMBER(minimize_tasks, minimize_tasks, minimize)
PART_MEMBER(mutator, mutator, mutator)

PART_POINTER(event_base, base, base)
PART_POINTER(store, store, store)
PART_POINTER(corpus, corpus, campaign.corpus)
PART_POINTER(energy, energy, campaign.energy)
PART_POINTER(corpus_list, corpus_list, campaign.list)
PART_POINTER(mutation_logs, mutation_logs, campaign.logs)
PART_POINTER(server, server, front.server)
PART_POINTER(export, export, front.exporting)
PART_POINTER(event, load_event, timers.load)
PART_POINTER(new_functions, new_functions, new_functions)
PART_POINTER(names, names, naming.names)
