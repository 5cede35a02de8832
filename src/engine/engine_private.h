/*
 * engine_private: the state of a campaign, which has one owner, and the parts
 * that work on it. One thread, one loop. Only the files that make and free the
 * engine include this. All others include engine/parts.h and call functions of
 * the parts.
 *
 * Each file uses those below it only; the list of findings, which is in
 * triage/, is for all:
 *
 *	background.c		an engine in a process of its own
 *	engine.c		set-up, the loop, the end; set_up.c: files;
 *				set_up_past.c: of an earlier campaign
 *	engine_signals.c	signals that come after the loop
 *	engine_over.c		the campaign after its end, as consoles see it
 *	engine_over_state.c	what is known of it
 *	engine_coverage.c	the coverage file; coverage_file.c: its text
 *	front/engine_stats.c	the last snapshot as a file
 *	front/			the control socket: commands, queries, snapshot
 *	web/			HTTP: page, metrics, events
 *	pool/pool_workers.c	workers: started, restarted, given work
 *	coordinator.c		handles results: the one place that decides
 *	schedule/schedule_next.c  the next job of a worker
 *	unused.c		words of the command line that nothing reads
 *	engine_end_check.c	when the campaign ends
 *	corpus/load_files.c	reads seeds and corpus
 *	corpus/new_inputs.c	the new inputs of a result
 *	schedule/finding_budget.c  the share of time that findings get
 *	triage/			findings: saved, named, verified, minimized
 *	schedule/trim.c		coverage inputs to be made smaller
 *	corpus/entries.c	inputs, added to the corpus and its files
 *	corpus/warmup.c		the end of the first executions
 *	pool/first_answer.c	the answer of a new worker; hints.c: advice
 *	functions/		the PC table, new functions
 *	schedule/schedule.c	queues, limits; schedule_call.c: size of a job
 *	pool/grow_memory.c	workers restarted for longer inputs
 *	engine_end.c		why the campaign ends, and its stop
 *	statistics/		counts, rates, times; what earlier runs had
 *	corpus/load.c		how far loading is
 *	pool/pool_room.c	how many workers the system allows
 *	pool/pool.c		the slots of the workers
 *	program.c		the program under test
 *	notify/			commands of the user at findings and at the end
 *	log/			lines, journal events, the ring of the last ones
 *	engine_parts.c		the parts, for those who do not see the struct
 */
#ifndef CFUZZ_ENGINE_ENGINE_PRIVATE_H
#define CFUZZ_ENGINE_ENGINE_PRIVATE_H

#include <event2/event.h>

#include "control/settings.h"
#include "corpus/corpus.h"
#include "corpus/corpus_list.h"
#include "corpus/energy.h"
#include "corpus/mutator_stats.h"
#include "engine/corpus/load_private.h"
#include "engine/engine_coverage_private.h"
#include "engine/engine_end_private.h"
#include "engine/engine_over_private.h"
#include "engine/functions/new_functions.h"
#include "engine/functions/pc_table_calls_private.h"
#include "engine/log/messages_private.h"
#include "engine/parts.h"
#include "engine/pool/pool_private.h"
#include "engine/program_private.h"
#include "engine/schedule/schedule_private.h"
#include "engine/schedule/trim_private.h"
#include "engine/statistics/counts_private.h"
#include "engine/statistics/earlier_runs_private.h"
#include "engine/statistics/limit_effects_private.h"
#include "engine/statistics/minimized_private.h"
#include "engine/statistics/run_clock.h"
#include "engine/statistics/run_clock_private.h"
#include "engine/statistics/statistics_private.h"
#include "engine/triage/dedup_private.h"
#include "engine/triage/findings_list_private.h"
#include "engine/triage/minimize_tasks_private.h"
#include "engine/triage/mutator_private.h"
#include "engine/triage/naming_private.h"
#include "engine/triage/suspect_private.h"
#include "findings/names.h"
#include "store/store.h"
#include "worker/inputs/mutation_log.h"
#include "worker/memory/campaign_memory.h"

#define ENGINE_SIGNALS 3

/* Timers and signals of the loop. */
struct engine_timers {
	struct event *tick, *second, *log, *load;
	struct event *signals[ENGINE_SIGNALS]; /* NULL: not watched */
};

/* The corpus and what is known of its inputs. */
struct engine_campaign {
	struct campaign_memory memory;
	struct corpus *corpus;
	struct energy *energy;
	struct corpus_list *list;
	struct mutation_logs *logs; /* of the entries */
	struct mutator_stats stats; /* by mutation operator */
};

/* The control socket and its snapshots. */
struct engine_front {
	struct server *server;    /* NULL: none */
	struct export *exporting; /* export under way; NULL: none */
	struct hooks *hooks;      /* NULL: none */
	struct web *web;          /* NULL: none */
	bool may_stay;            /* consoles see the campaign after its end */
	uint64_t snapshot_seq;
};

/* Each part belongs to the file of its name; see tests/checks/owners.sh. */
struct engine {
	struct event_base *base;
	struct settings settings;
	char *output_path;
	struct store *store;
	struct engine_timers timers;
	struct run_clock clock;
	struct engine_end end;
	struct over over;
	struct engine_coverage coverage;
	struct program target;
	struct engine_campaign campaign;
	struct counts counts;
	struct load load;
	struct earlier_runs earlier;
	struct pool pool;
	struct schedule schedule;
	struct trims trims;
	struct pc_table_calls pc_tables;
	struct new_functions *new_functions;
	struct findings findings;
	struct dedup dedup;
	struct naming naming;
	struct suspects suspects;
	struct minimize_tasks minimize;
	struct minimized minimized;
	struct mutator mutator;
	struct messages messages;
	struct statistics statistics;
	struct limit_effects effects;
	struct engine_front front;
};

#endif
