/*
 * engine_private: the state of a campaign, which has one owner, and the parts
 * that work on it. One thread, one loop.
 *
 *	engine.c		set-up, the loop, the end
 *	load.c			seeds
 *	coordinator.c		handles results: the one place that decides
 *	mutation_origin.c	mutation logs of new inputs and findings
 *	schedule.c		the next job of a worker
 *	finding_budget.c	the share of time that findings get
 *	trim.c			coverage inputs to be made smaller
 *	triage.c		findings: saved, replayed, minimized
 *	mutator.c		faults of the target's own mutator
 *	naming.c		the names of a finding's frames
 *	dedup.c			the finding that a failure belongs to
 *	record.c		the files and reports of a finding
 *	minimize_tasks.c	minimizations under way, ..._steps.c: by hand
 *	finding_details.c	further members of crash.json
 *	suspect.c		ends that need not be an input's fault
 *	triage_sequence.c	findings that take several inputs in a row
 *	pc_table_calls.c	the PC table, asked of workers
 *	new_functions.c		functions reached for the first time
 *	function_events.c	their list and events
 *	pool.c			workers: started, restarted, retired
 *	messages.c		the log lines and journal events
 *	earlier_runs.c		history shown of earlier runs
 *	grow_memory.c		workers restarted for longer inputs
 *	front/snapshot_view.c	the snapshot
 *	front/snapshot_search.c	its part about the search
 *	front/limit_effects.c	the effect of a changed limit on the speed
 *	front/commands.c	commands of a front end
 *	front/answers.c		queries of a front end, answered by answer_*.c
 *	front/server.c		the control socket
 */
#ifndef CFUZZ_ENGINE_ENGINE_PRIVATE_H
#define CFUZZ_ENGINE_ENGINE_PRIVATE_H

#include <event2/event.h>

#include "control/command.h"
#include "control/query.h"
#include "control/settings.h"
#include "control/snapshot.h"
#include "corpus/corpus.h"
#include "corpus/corpus_list.h"
#include "corpus/energy.h"
#include "corpus/mutator_stats.h"
#include "corpus/queue.h"
#include "corpus/seeds.h"
#include "engine/earlier_runs.h"
#include "engine/engine.h"
#include "engine/engine_end.h"
#include "engine/event_ring.h"
#include "engine/front/limit_effects.h"
#include "engine/front/snapshot_view.h"
#include "engine/load.h"
#include "engine/messages.h"
#include "engine/new_functions.h"
#include "engine/pc_table_calls.h"
#include "engine/pool.h"
#include "engine/rate.h"
#include "engine/run_clock.h"
#include "engine/schedule.h"
#include "engine/triage/dedup.h"
#include "engine/triage/minimize_tasks.h"
#include "engine/triage/mutator.h"
#include "engine/triage/naming.h"
#include "engine/triage/suspect.h"
#include "engine/triage/triage.h"
#include "engine/trim.h"
#include "findings/finding.h"
#include "findings/names.h"
#include "findings/stack_hash.h"
#include "store/store.h"
#include "worker/campaign_memory.h"
#include "worker/elf.h"
#include "worker/isolation.h"
#include "worker/mutation_log.h"
#include "worker/pc_table.h"
#include "worker/worker.h"

/* Timers and signals of the loop. */
struct engine_timers {
	struct event *tick, *second, *log, *load;
	struct event *signals[3];
};

/* The program under test. */
struct engine_target {
	char *path, *name;
	char **argv, **envp;
	struct target_info info;
	struct isolation isolation;
	struct tuple_types types; /* of its parameters; if pool.any_ready */
	char function[64];        /* typed function's name; "": unknown */
	char sanitizer[32];
	bool instrumented;
};

/* The corpus and what is known of its inputs. */
struct engine_campaign {
	struct campaign_memory memory;
	struct corpus *corpus;
	struct energy *energy;
	struct corpus_list *list;
	struct mutation_logs *logs; /* of the entries */
	struct mutator_stats stats; /* by mutation operator */
	char **labels;              /* seed file names by entry index */
	size_t labels_n;
	size_t longest;         /* length of the longest entry */
	uint64_t words_learned; /* automatic dictionary entries */
	uint64_t value_entries; /* kept for the value profile alone */
	size_t value_bytes;     /* of those; memory only */
};

/* Counts, as section 4.3 of the reference names them. */
struct engine_counts {
	uint64_t executions, new_inputs, replays, rejected;
	uint64_t unstable; /* new inputs that their second execution doubts */
	/* Campaign time; 0: no new input yet. */
	double last_find_s, plateau_gap_s;
	struct rate rate;
};

/* The control socket and its snapshots. */
struct engine_front {
	struct server *server;    /* NULL: none */
	struct export *exporting; /* export under way; NULL: none */
	uint64_t snapshot_seq;
};

/* Each part belongs to the file that is named; see tests/checks/owners.sh. */
struct engine {
	struct event_base *base;
	struct settings settings;
	char *output_path;
	struct store *store;
	struct engine_timers timers;         /* engine.c */
	struct run_clock clock;              /* run_clock.c */
	struct engine_end end;               /* engine_end.c */
	struct engine_target target;         /* engine.c, load.c */
	struct engine_campaign campaign;     /* coordinator.c */
	struct engine_counts counts;         /* coordinator.c */
	struct load load;                    /* load.c */
	struct earlier_runs earlier;         /* triage_resume.c */
	struct pool pool;                    /* pool.c */
	struct schedule schedule;            /* schedule.c */
	struct trims trims;                  /* trim.c */
	struct pc_table_calls pc_tables;     /* pc_table_calls.c */
	struct new_functions *new_functions; /* new_functions.c */
	struct findings findings;            /* triage.c */
	struct dedup dedup;                  /* dedup.c */
	struct naming naming;                /* naming.c */
	struct suspects suspects;            /* suspect.c */
	struct minimize_tasks minimize;      /* minimize_tasks.c */
	struct mutator mutator;              /* mutator.c */
	struct messages messages;            /* messages.c */
	struct limit_effects effects;        /* limit_effects.c */
	struct engine_front front;           /* server.c, export.c */
};

void engine_set_paused(struct engine *e, bool paused);
/* Time of the whole campaign, including earlier runs. */
double engine_campaign_s(const struct engine *e);
uint64_t engine_executions(const struct engine *e); /* sampled */
bool engine_warming(const struct engine *e);

#endif
