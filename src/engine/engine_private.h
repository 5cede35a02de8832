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
#include "engine/new_functions.h"
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

#define RATE_SAMPLES 32
#define STARTS_MAX 5u /* per worker and second */
#define SUSPECT_WAYS 65
#define SUSPECTS_WAITING 16
#define PC_TABLE_CALL_QUERIES_MAX 16
#define FINDINGS_MAX 1000u /* distinct ones; see dedup.c */

/* Executions over the last 3 s, from samples 100 ms apart. */
struct rate {
	uint64_t at_ns[RATE_SAMPLES], value[RATE_SAMPLES];
	unsigned n, next;
};

/* Executions of a deterministic call, whatever time they take. */
#define CALL_EXECUTIONS 5000u
#define UNKEPT_MAX 20000u /* pending writes at which fuzzing waits */

/* The engine's knowledge of a slot beyond the worker itself. */
struct slot {
	struct worker *worker; /* NULL: never used */
	uint64_t execs, finds, fuzz_ns;
	struct rate rate;
	double pace;     /* executions per millisecond of the last call */
	bool wanted;     /* false: retiring or retired */
	bool ready_once; /* the ping was answered at least once */
	bool idle_probe;
	uint32_t vain_starts;           /* in a row without an execution */
	uint64_t starts_ns[STARTS_MAX]; /* the latest starts: a ring */
	uint32_t starts_n;              /* all starts so far */
	bool wait_said;                 /* STARTS_MAX was reported */
	int64_t owed; /* to fuzzing before the next finding: finding_budget.c */
	uint64_t finding_ns; /* time spent on findings */
	uint64_t result_ns;  /* when the last result came in */
	bool was_finding;    /* the last result was for a finding */
	uint64_t calls;      /* for the PRNG */
	uint64_t restart_ns; /* when to start it again, 0: not waiting */
	char restart_why[256];
	bool restart_asked; /* by the user, not after a failure */
	bool refit;         /* restart it: its memory is too small */
	char entry[17];     /* input or finding of the current job */
	uint32_t generation;
	size_t entry_len;
};

enum end_reason {
	END_NONE,
	END_TIME,
	END_LIMIT,
	END_USER,
	END_CRASH, /* --stop-on-crash */
	END_SEED,  /* a failing seed under --stop-on-crash */
	END_ERROR,
};

/* A changed limit, to be reported later with its effect. */
struct limit_effect {
	char limit[24], before[64], after[64];
	double rate;    /* executions per second before */
	uint64_t count; /* executions at the change */
	uint64_t at_ns; /* elapsed time at the change */
};

/* A coverage input that waits for trimming or is being trimmed. */
struct trim_job {
	struct corpus_entry *entry;
	struct coverage_pair *keep; /* owned */
	uint32_t keep_n;
	struct minimize_task *minimization; /* the user's; NULL: automatic */
};

/* A front end's query that waits for the workers' PC tables. */
struct pc_table_call_query {
	uint64_t id;
	uint64_t since_ns; /* 0: slot is free */
	struct query query;
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

/* load.c */
/* Call when the first worker is ready. E_EXISTS: the output directory belongs
 * to a target with other parameter types. */
enum status load_begin(struct engine *e, struct worker *w,
	const struct rpc_reply *ping, struct error *err) MUST_CHECK;
void load_on_turn(evutil_socket_t fd, short what, void *arg);

/* coordinator.c */
void coordinator_on_result(void *arg, struct worker *w,
	const struct worker_result *r);
void coordinator_on_modules(void *arg, struct worker *w,
	const struct counter_module *modules, uint32_t n);
struct corpus_entry *coordinator_add_input(struct engine *e,
	const uint8_t *data, size_t len, const struct corpus_entry *parent,
	bool save);
void coordinator_finish_warmup(struct engine *e);
/* Replaces the entry's bytes by smaller ones with the same coverage; best may
 * be NULL: there are none. */
void coordinator_shrink_entry(struct engine *e, struct corpus_entry *entry,
	const uint8_t *best, size_t len, uint64_t tries);
/* Call when the entry's bytes cannot be read any more. */
void coordinator_skip_input(struct engine *e, struct corpus_entry *entry);

/* mutation_origin.c */
/* Logs how a new corpus entry was made from this parent. */
void mutation_origin_note_find(struct engine *e,
	const struct corpus_entry *entry, struct corpus_entry *parent,
	const struct job *job, const struct find *find);
/* Logs how a finding's input was made; parent may be NULL. */
void mutation_origin_note_finding(struct engine *e, struct finding *f,
	const struct worker_result *r, struct corpus_entry *parent);

/* schedule.c */
bool schedule_next(struct engine *e, struct slot *slot, struct job *job);
void schedule_taken(struct engine *e, struct slot *slot, struct job *job);
/* Updates the selection table and mutator statistics for the children. */
void schedule_refresh(struct engine *e);
/* A fuzzing call is over. found: it gave new inputs. */
void schedule_adapt(struct engine *e, struct slot *slot,
	const struct worker_result *r, bool found);
bool schedule_may_minimize(const struct engine *e);
/* True while fewer than a quarter of the workers, rounded up, minimize or run
 * sequences. */
bool schedule_minimizer_free(const struct engine *e);
bool schedule_is_fifo(const struct engine *e); /* like the reference */

/* finding_budget.c */
/* Charges the time of a result to the slot. */
void finding_budget_charge(struct engine *e, struct slot *slot,
	const struct worker_result *r);
/* Charges the worker start that the last result made necessary. */
void finding_budget_charge_start(struct engine *e, struct slot *slot);
/* Whether this worker may take up a finding now. */
bool finding_budget_has_time(const struct slot *slot);
/* Longest allowed call for a finding. idle: there is nothing to fuzz. */
uint64_t finding_budget_room_ms(const struct engine *e, bool idle);

/* trim.c */
/* Queues a new input for trimming if there is room. */
void trim_add(struct engine *e, struct corpus_entry *entry,
	const struct find *find);
/* Fills the job for the next trim if one may run now. The trim stays queued
 * until trim_taken(). */
bool trim_next(struct engine *e, struct job *job);
void trim_taken(struct engine *e);           /* the job's owner now owns it */
void trim_job_destroy(struct trim_job *job); /* NULL is fine */
void trim_drop_all(struct engine *e);

/* pc_table_calls.c */
/* Adds modules that workers have loaded. */
void pc_table_calls_add_modules(struct engine *e,
	const struct counter_module *modules, uint32_t n);
/* Fills a job that asks an idle worker for a PC table. False: there is none to
 * ask for. */
bool pc_table_calls_next(struct engine *e, struct job *job);
void pc_table_calls_on_result(struct engine *e, const struct worker_result *r);
/* Queues a query until PC tables are known. False: answer it now. */
bool pc_table_calls_hold(struct engine *e, uint64_t id,
	const struct query *query);
void pc_table_calls_tick(struct engine *e); /* answers overdue queries */

/* triage.c */
void triage_on_failure(struct engine *e, struct slot *slot,
	const struct worker_result *r, struct corpus_entry *parent);
/* Adds the finding to the list, which owns it from now on. */
void triage_adopt(struct engine *e, struct finding *take_finding);
void triage_resume(struct engine *e);
void triage_on_replay(struct engine *e, struct finding *f,
	const struct worker_result *r);
/* A minimization is over. best: NULL if it found nothing smaller. */
void triage_on_minimized(struct engine *e, struct finding *f,
	const uint8_t *best, size_t len, uint64_t tries, const char *why_not);
/* The finding of a stack hash; NULL: it is new. */
struct finding *triage_of_signature(struct engine *e, uint64_t signature);
/* Makes a finding of a failure. It is on no list yet. triage_believe() lists a
 * hang that a longer limit has confirmed. */
struct finding *triage_make(struct engine *e, const struct worker_result *r,
	struct corpus_entry *parent);
void triage_believe(struct engine *e, struct finding *take_finding,
	const struct worker_result *r);
/* The suspect's input failed by itself, in r: lists it as a finding. */
void triage_add_suspect(struct engine *e, const struct finding *suspect,
	const struct worker_result *r);
/*
 * The next finding that waits for this work and takes at most room_ms per call.
 */
struct finding *triage_next(struct engine *e, enum finding_work work,
	uint64_t room_ms);
struct finding *triage_find(struct engine *e, const char *id);
/* The number of replays for a new failure, and the steps after them. */
uint32_t verify_replays(const struct engine *e, const struct failure *failure);
void triage_verify_again(struct finding *f, uint32_t replays);
/* All replays are done. */
void triage_note_verdict(struct engine *e, struct finding *f);
/* Notes that these bytes fail on the present build; verdicts of another build
 * become void. */
void triage_note_build(struct engine *e, struct finding *f, const uint8_t *data,
	size_t len);
void triage_after_verify(struct engine *e, struct finding *f);
bool triage_can_minimize(const struct finding *f);
/* Whether the finding already has a minimized input that stays. */
bool triage_is_minimized(const struct engine *e, const struct finding *f);
bool triage_is_beaten(const struct engine *e, const struct finding *f,
	size_t len);
void triage_on_final(struct engine *e, struct finding *f,
	const struct worker_result *r);
void triage_keep_minimized(struct engine *e, struct finding *f);
bool triage_busy(const struct engine *e);  /* replays are outstanding */
bool triage_found(const struct engine *e); /* a finding in this run */
void triage_finish(struct engine *e);      /* call before store_finish() */
/* Notes that a replay has failed in this run. */
void triage_seen_again(struct engine *e, struct finding *f);
/* Work for the next start: "verify", "minimize"; NULL: none. */
const char *triage_left(const struct finding *f);
void triage_ignore(struct engine *e, struct finding *f); /* toggles */
/* Sets the user's verdict: new, known or ignored. */
void triage_mark(struct engine *e, struct finding *f, enum finding_state state);
void triage_clear(struct engine *e);

/* triage_sequence.c */
#define PRELUDES_MAX 64u /* findings whose process history is kept */
/* Keeps the process history of a new finding until it is verified. */
void triage_note_prelude(struct engine *e, struct finding *f,
	const struct worker_result *r);
/* Starts the search for a sequence: the input alone does not fail. False: there
 * is no process history. */
bool triage_begin_sequence(struct engine *e, struct finding *f);
bool triage_next_sequence(struct engine *e, uint64_t room_ms, struct job *job);
/* Estimated duration of its next try. */
uint64_t triage_sequence_ms(const struct engine *e, const struct finding *f);
void triage_on_sequence(struct engine *e, struct finding *f,
	const struct worker_result *r);
/* Replays the saved sequence replays_wanted times. */
enum status triage_replay_sequence(struct engine *e, struct finding *f,
	struct error *err) MUST_CHECK;
/* At the end of a run: saves what the next start needs to go on. */
void triage_finish_sequence(struct engine *e, struct finding *f);
void triage_drop_sequence(struct finding *f);
/* Drops the saved process history of a verified finding. */
void triage_drop_before(struct engine *e, struct finding *f);

/* The names of its frames are known (news) or late. */
void triage_on_named(struct engine *e, struct finding *f, bool news);

/* The finding's excerpt and report will not change any more. */
void triage_on_source(struct engine *e, struct finding *f);

/* mutator.c */
/* Reports a failure of the mutator, which is no finding. */
void mutator_on_failure(struct engine *e, const struct failure *failure);
/* Reports a result beyond the allowed length. */
void mutator_on_length(struct engine *e);

/* naming.c */
/* Asks for names; the announcement waits a moment for them. */
void naming_start(struct engine *e, struct finding *f);
/* Asks for the names of findings that were not asked yet. */
void naming_next(struct engine *e);
/* Rewrites the finding's report with names for its addresses. False: there is
 * nothing to ask. */
bool naming_report(struct engine *e, struct finding *f);
bool naming_busy(const struct engine *e);     /* some finding waits for names */
pid_t naming_process(const struct engine *e); /* it has all modules; 0: none */

/* dedup.c */
/* The finding of a failure; NULL: it is new. */
struct finding *dedup_find(struct engine *e, const struct failure *failure);
/* Makes a new finding, to be passed to triage_adopt(). */
struct finding *dedup_create(struct engine *e, const struct failure *failure);
/* Replaces the failure of a finding that is on no list yet by one with more
 * details. */
void dedup_renew(struct engine *e, struct finding *f,
	const struct failure *failure);
/*
 * Computes the bucket: the names are final. True: the finding was merged into
 * another one.
 */
bool dedup_settle(struct engine *e, struct finding *f);
/* Settles the findings that had to wait. */
void dedup_tick(struct engine *e);
/* Restores a finding of an earlier run from its crash.json. */
void dedup_resume(struct engine *e, struct finding *f, const json_t *info);
void dedup_clear(struct engine *e);

/*
 * The bucket of failures with that stack hash (failure_signature()). False:
 * unknown so far. Cheap.
 */
bool bucket_known(const struct engine *e, uint64_t signature, uint64_t *bucket);
/*
 * Asks for the bucket of a failure that need not become a finding. `done` is
 * called later from the loop, unless the engine ends first. False: `done` will
 * not be called; the bucket is known now, or too many questions are pending.
 */
typedef void bucket_done_fn(void *arg, uint64_t bucket);
bool bucket_ask(struct engine *e, const struct failure *failure,
	bucket_done_fn *done, void *arg);

/* finding_details.c */
/* Adds further members of crash.json, for readers without the engine. */
void finding_details_put(const struct engine *e, const struct finding *f,
	json_t *json);

/* rerun.c */
#define RERUN_MAX 16384u
/* Options of `cfuzz repro` that this campaign needs, each after a blank. */
void rerun_options(const struct engine *e, char *buf, size_t size);
/* The shell command that runs a finding's input again. any: with absolute
 * paths, for any folder; else with the paths the user gave. */
void rerun_command(const struct engine *e, const struct finding *f, bool any,
	char *buf, size_t size);
/* Absolute path of a folder in the output directory; "" is the directory
 * itself. */
void rerun_path(const struct engine *e, const char *folder, char *buf,
	size_t size);

/* export.c */
/*
 * Writes all that a bug report needs into a new folder. folder may be NULL. The
 * pending command is answered when the export is done. One at a time.
 */
enum status export_begin(struct engine *e, const struct finding *f,
	const char *folder, struct error *err) MUST_CHECK;
/* The same step by step: call export_step() until it returns false. NULL: see
 * err. */
struct export *export_create(struct engine *e, const struct finding *f,
	const char *folder, struct error *err);
bool export_step(void *x);
const char *export_path(const struct export *x);
const struct error *export_error(const struct export *x);
void export_destroy(struct export *x); /* NULL is fine */

/* record.c */
json_t *record_trail(const struct worker_result *r);
json_t *record_json(const struct engine *e, const struct finding *f);
void record_save_json(struct engine *e, const struct finding *f);
void record_put_report(struct engine *e, const struct finding *f,
	const char *report, size_t len);
void record_save_report(struct engine *e, struct finding *f,
	const struct worker_result *r);
/* The first reports to the front end alone. The second announces a saved
 * finding to all, once. */
void record_report_again(struct engine *e, const struct finding *f);
void record_report(struct engine *e, enum report_kind kind,
	const struct finding *f);
void record_announce(struct engine *e, struct finding *f);
/* Reports the finding's news when the writer has acknowledged all its files
 * (record_on_kept), or at once in a deterministic run. */
void record_when_kept(struct engine *e, struct finding *f);
writer_done_fn record_on_kept;

/* suspect.c */
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
/* Suspects still to be replayed, for stats.json; NULL: none. */
json_t *suspects_left(const struct engine *e);
void suspects_resume(struct engine *e, const json_t *left);
/* Replays the input of a finding's folder that lost its crash.json. */
void suspect_adopt(struct engine *e, const char *folder);

/* pool.c */
enum status pool_open(struct engine *e, struct error *err) MUST_CHECK;
void pool_close(struct engine *e);
/*
 * Notes orphans that appear while all workers live: they belong to no worker.
 */
void pool_note_orphans(struct engine *e);
void pool_resize(struct engine *e, uint32_t n);
uint32_t pool_wanted(const struct engine *e);
bool pool_all_down(const struct engine *e);
void pool_tick(struct engine *e, uint64_t now);
void pool_wake(struct engine *e); /* gives work to idle workers */
void pool_set_limits(struct engine *e);
struct slot *pool_slot(struct engine *e, const struct worker *w);

/* messages.c */
void message_print(struct engine *e, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
/* A line and an event about a problem that does not stop the run. */
void message_warn(struct engine *e, const char *kind, const char *text);
/* Shows a journal line of an earlier run again. */
void message_recall(struct engine *e, const json_t *event);
/* Hints on the build of the target, from its first worker. */
void hints_say(struct engine *e, const struct rpc_reply *ping);
void message_statistics(struct engine *e);
void message_warm(struct engine *e); /* W2 or W4 */
/* An event: to the journal, the front ends and the screen. */
void message_event(struct engine *e, const char *kind, json_t *take_members,
	const char *fmt, ...) __attribute__((format(printf, 4, 5)));

/* grow_memory.c */
/* Whether workers can be created for inputs of that length. */
enum status grow_memory_check(const struct engine *e, uint64_t max_len,
	struct error *err) MUST_CHECK;
uint64_t grow_memory_max_len(const struct engine *e); /* room in all workers */
/* Whether the job's input, made by a worker with more room, is too long for
 * this one. */
bool grow_memory_needed(struct slot *slot, const struct job *job);
void grow_memory_tick(struct engine *e);

/* front/limit_effects.c */
double limit_effects_rate(
	const struct engine *e); /* now, or before the pause */
void limit_effects_note(struct engine *e, const char *limit, const char *before,
	const char *after);
/* last: reports without further waiting. */
void limit_effects_tick(struct engine *e, bool last);

/* front/view.c */
void view_make(struct engine *e, struct snapshot *snapshot);
void view_build(const char *id, char buf[FINDING_BUILD_SIZE]);
/* A minimization has ended. `of` has its name, title and numbers. */
void view_note_minimized(struct engine *e, const struct snapshot_minimized *of);
void view_finding_title(const struct finding *f, char *buf, size_t size);
void view_finding(struct engine *e, const struct finding *f,
	struct snapshot_finding *view);
void rate_add(struct rate *rate, uint64_t now, uint64_t value);
double rate_get(const struct rate *rate, uint64_t now, uint64_t value);

/* front/view_search.c */
void view_search(const struct engine *e, struct snapshot *snapshot);

/* earlier_runs.c */
void earlier_runs_resume(struct engine *e); /* after triage_resume() */

/* front/commands.c */
typedef enum status command_fn(struct engine *e, const struct command *c,
	char *answer, size_t size, struct error *err);
command_fn command_step; /* minimize_tasks_steps.c */
enum status commands_run(struct engine *e, const char *line, char *answer,
	size_t size, struct error *err);

/*
 * A command: checks its arguments, acts, and answers with one sentence.
 */
typedef enum status command_fn(struct engine *e, const struct command *c,
	char *answer, size_t size, struct error *err);
command_fn command_mark, command_note, command_export; /* command_finding.c */
struct finding *command_find_finding(struct engine *e, const char *id,
	struct error *err);

/* front/answers.c */
/* Answers a query through the server, now or later. */
void answers_take(struct engine *e, uint64_t id, const struct query *query);

/*
 * front/answer_*.c: the answer to a query. OK: it is in *reply, which is empty
 * before. E_BUSY: server_reply() comes later with this id.
 */
typedef enum status answer_fn(struct engine *e, uint64_t id,
	const struct query *query, struct reply *reply, struct error *err);
answer_fn answer_coverage, answer_modules, answer_pcs; /* answer_coverage.c */
answer_fn answer_corpus;                               /* answer_corpus.c */
answer_fn answer_entry;                                /* answer_entry.c */
answer_fn answer_trail;                                /* answer_trail.c */
answer_fn answer_worker;                               /* answer_worker.c */
answer_fn answer_minimization; /* answer_minimization.c */
answer_fn answer_journal;      /* answer_journal.c */
answer_fn answer_finding;      /* answer_finding.c */

/* The number of rows or bytes in an answer, out of `all` and at most `most`. */
uint64_t answer_count(const struct query *query, uint64_t all, uint64_t most);

/* The subject of a query: an entry, or else a finding, perhaps its minimized
 * input. */
struct subject {
	struct corpus_entry *entry;
	struct finding *finding;
	bool minimized;
};

/* Finds an entry by its name or a prefix, a finding by its id, or its minimized
 * input by id and "/min". */
enum status answer_find(struct engine *e, const char *name,
	struct subject *subject, struct error *err) MUST_CHECK;
/* Answers a query for a text of a finding, "ID/call" or "ID/seq". False: the
 * query is not for such a text. */
bool answer_text(struct engine *e, const struct query *query,
	struct reply_entry *r);
/* Adds the requested piece of the data. */
void answer_put_bytes(const struct query *query, const void *data, size_t len,
	struct reply_entry *r);
/* The parent of an entry; NULL: none or unknown. */
const struct corpus_entry *answer_parent(const struct engine *e,
	const struct corpus_entry *entry);
void answer_row(const struct engine *e, const struct corpus_entry *entry,
	struct reply_row *row);

/* front/server.c */
struct server *server_create(struct engine *e, int take_fd);
void server_destroy(struct server *server);
void server_tick(struct server *server, uint64_t now);
/*
 * Postpones the answer to the current command until server_answer_late(). The
 * console may have left before. False: nobody waits for the answer.
 */
bool server_hold(struct server *server, json_int_t *id);
void server_answer_late(struct server *server, json_int_t id, bool ok,
	const char *text);
/*
 * The console has not read earlier data yet: send nothing large. NULL is fine.
 */
bool server_is_behind(const struct server *server);
/* Sends a reply, unless its console has gone. NULL is fine. */
void server_reply(struct server *server, uint64_t id,
	const struct reply *reply);
void server_say_bye(struct server *server, const char *text);
/* Waits a limited time until the console has read all. */
void server_flush(struct server *server);

#endif
