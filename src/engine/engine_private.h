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
 *	front/view.c		the snapshot
 *	front/view_search.c	its part about the search
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
#include "engine/engine.h"
#include "engine/event_ring.h"
#include "engine/front/limit_effects.h"
#include "engine/front/view.h"
#include "engine/new_functions.h"
#include "engine/pc_table_calls.h"
#include "engine/pool.h"
#include "engine/triage/suspect.h"
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

struct lineage;

enum end_reason {
	END_NONE,
	END_TIME,
	END_LIMIT,
	END_USER,
	END_CRASH, /* --stop-on-crash */
	END_SEED,  /* a failing seed under --stop-on-crash */
	END_ERROR,
};

struct engine {
	struct event_base *base;
	struct event *tick_event, *second_event, *log_event, *load_event;
	struct event *signal_events[3];
	struct settings settings;
	char *target_path, *target_name, *output_path;
	char **argv, **envp;
	struct target_info target;
	struct isolation isolation;
	engine_report_fn *report;
	void *report_arg;

	struct campaign_memory memory;
	struct process_strangers strangers;
	struct worker_handlers handlers;
	struct slot slots[MEMORY_WORKERS_MAX];
	uint32_t slots_n;

	struct pc_table places; /* of the edges in the global coverage map */
	struct pc_table_call_query table_queries[PC_TABLE_CALL_QUERIES_MAX];
	bool table_answering; /* answering a query that may wait no longer */
	struct new_functions *reached;
	struct names *names;
	struct report_names *report_names;
	bool blind_said; /* that names are impossible */
	struct store *store;
	struct corpus *corpus;
	struct energy *energy;
	struct corpus_list *corpus_list;
	struct mutation_logs *trails;         /* of the entries */
	uint64_t tickets_ns, tickets_took_ns; /* last refresh: end, length */
	uint64_t unkept;     /* pending writes of corpus inputs */
	struct queue inputs; /* struct corpus_entry, borrowed */
	struct queue wishes; /* user queue: same type, served first */
	struct queue trims;  /* struct trim_job, owned */
	size_t trim_bytes;   /* of all `keep` lists in trims */
	struct finding **findings;
	size_t findings_n;
	struct finding *crash_minimizing;     /* under --stop-on-crash */
	struct minimize_task **minimizations; /* owned, oldest first */
	size_t minimizations_n;
	/* Results of ended minimizations, newest first. */
	struct snapshot_minimized minimized[SNAPSHOT_MINIMIZED_MAX];
	size_t minimized_n;
	struct finding **merged; /* into others of `findings` */
	size_t merged_n;
	struct stack_hashes signatures; /* of failures, and their buckets */
	struct bucket_ask **bucket_asks;
	size_t bucket_asks_n;
	uint32_t naming_n; /* queries for names under way */
	bool overflow_said;

	/* Counts, as section 4.3 of the reference names them. */
	uint64_t count, waiting, interesting, replays, rejected;
	uint64_t warmup_total, warmup_left;
	struct seeds *seeds;     /* being loaded; NULL: done */
	struct lineage *lineage; /* of earlier runs, while seeds are loaded */
	bool loading;
	char **labels; /* seed file names by entry index */
	size_t labels_n;
	size_t longest;                 /* input in the corpus */
	size_t len_cap;                 /* length control; 0: not begun */
	uint64_t len_count, find_count; /* executions at last step, new input */
	uint64_t trim_count;            /* executions spent on trimming */
	uint64_t words_learned;         /* automatic dictionary entries */
	uint64_t progress;              /* entries kept for value profile */
	size_t progress_bytes;          /* of those; memory only */
	struct mutator_stats yields;    /* by mutation operator */
	uint64_t call_ms; /* time of the next call, on a processor of its own */
	uint64_t processors;
	uint64_t confirmed_finds, unstable_finds;
	uint64_t suspects;
	struct finding *on_probation[SUSPECTS_WAITING]; /* await replays */
	size_t on_probation_n;
	uint64_t suspect_ways[SUSPECT_WAYS]; /* by signal; 0: others */
	uint64_t hangs_doubted, slow_inputs;
	struct rate rate;
	double rate_at_pause;
	struct limit_effect effect;
	bool effect_due;              /* and is not reported yet */
	uint64_t line_count, line_ns; /* at the last statistics line */

	uint64_t start_ns, fuzz_start_ns, pause_began_ns;
	uint64_t paused_ns;      /* without the current pause */
	uint64_t warm_paused_ns; /* the part before fuzzing began */
	/* Campaign time; 0: no new input yet. */
	double last_find_s, plateau_gap_s;
	bool paused, stopping, ended, any_ready;
	bool refused;             /* output directory of another target */
	struct tuple_types types; /* of the target's parameters; if any_ready */
	char function[64];        /* typed function's name; "": unknown */
	bool draining;            /* no new executions; replays still run */
	bool drain_minimize;      /* minimizations still run, too */
	uint64_t drain_ns;        /* deadline of the drain; 0: none */
	bool odd_return_said, module_room_said, disk_said;
	bool mutator_length_said;
	uint64_t mutator_failures;
	struct kept_warning {
		const char *kind; /* event type */
		char *text;
	} * warnings; /* to print when the run begins */
	size_t warnings_n;
	enum stop_step stop_step;
	uint64_t stop_ns; /* when the stop began; 0: not stopping */
	enum end_reason why;
	struct error fatal;
	enum exit_status fatal_status;
	double past_s; /* elapsed time of earlier runs */
	uint64_t past_execs,
		past_bits; /* executions and coverage at their end */
	uint32_t runs;     /* runs of the campaign, including this one */
	bool found;        /* a seed failed; findings: see triage_found() */
	bool lost;         /* something could not be kept or done */
	char sanitizer[32];
	bool instrumented;

	struct event_ring *events; /* the newest journal events */
	uint64_t snapshot_seq;
	char message[256];
	struct server *server;    /* NULL: none */
	struct export *exporting; /* export under way; NULL: none */
};

/* engine.c */
void engine_stop(struct engine *e, enum end_reason why);
/* Prints the warning when the run begins. kind: type of its event. */
void engine_keep_warning(struct engine *e, const char *kind, const char *text);
void engine_fail(struct engine *e, enum exit_status status, const char *fmt,
	...) __attribute__((format(printf, 3, 4)));
void engine_drain(struct engine *e, enum end_reason why, bool minimizations);
void engine_check_end(struct engine *e);
uint64_t engine_drain_left_ms(const struct engine *e);
void engine_set_paused(struct engine *e, bool paused);
uint64_t engine_elapsed_ns(const struct engine *e); /* no pauses */
/* Time of the whole campaign, including earlier runs. */
double engine_campaign_s(const struct engine *e);
uint64_t engine_fuzzed_ns(const struct engine *e); /* no pauses, no warm-up */
uint64_t engine_paused_ns(const struct engine *e, uint64_t now);
uint64_t engine_executions(const struct engine *e); /* sampled */
bool engine_warming(const struct engine *e);
enum exit_status engine_status(const struct engine *e);
uint64_t engine_limit(const struct engine *e); /* executions; 0: no limit */

#endif
