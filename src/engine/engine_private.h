/*
 * engine_private: the one owner of a campaign's state, and the parts that
 * work on it. One thread, one loop.
 *
 *	engine.c	set-up, the loop, the end
 *	load.c		seeds
 *	coordinator.c	what a result means: the one place that decides
 *	origin.c	how inputs came about
 *	schedule.c	what a worker does next
 *	budget.c	what part of its time is for findings
 *	triage.c	findings: saved, replayed, minimized
 *	mutator.c	what the target's own mutator does wrong
 *	naming.c	the names of a finding's frames
 *	identity.c	which finding a failure belongs to
 *	record.c	what is written and told of a finding
 *	minimizing.c	minimizations under way, minimizing_steps.c: by hand
 *	details.c	what crash.json says beyond that
 *	suspect.c	ends that need not be an input's fault
 *	triage_sequence.c	findings that take several inputs in a row
 *	tables.c	where the target's counters stand
 *	reached.c	functions that are newly reached
 *	news.c		what is told of them
 *	pool.c		workers: started, restarted, retired
 *	lines.c		the log lines and journal events
 *	view.c		the snapshot
 *	view_search.c	what it says of the search itself
 *	past.c		what it says of earlier runs
 *	refit.c		workers started again for longer inputs
 *	effects.c	what a changed limit does to the speed
 *	commands.c	what a front end may order
 *	answers.c	what a front end may ask, and answer_*.c what it hears
 *	server.c	the control socket
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
#define STARTS_MAX 5u /* of one worker, in a second */
#define SUSPECT_WAYS 65
#define SUSPECTS_WAITING 16
#define PC_TABLE_CALL_QUERIES_MAX 16
#define FINDINGS_MAX 1000u /* distinct ones; see identity.c */

/* Executions over the last 3 s, from samples 100 ms apart. */
struct rate {
	uint64_t at_ns[RATE_SAMPLES], value[RATE_SAMPLES];
	unsigned n, next;
};

/* What a deterministic call has, whatever time that takes. */
#define CALL_EXECUTIONS 5000u
#define UNKEPT_MAX 20000u /* inputs wait for the disk: no more are made */

/* What the engine knows of a slot beyond the worker itself. */
struct slot {
	struct worker *worker; /* NULL: never used */
	uint64_t execs, finds, fuzz_ns;
	struct rate rate;
	double pace;          /* executions per millisecond of the last call */
	bool wanted;          /* false: retiring or retired */
	bool ready_once;      /* the ping was answered at least once */
	bool idle_probe;      /* on its way to a job in this turn */
	uint32_t vain_starts; /* in a row, without an execution */
	uint64_t starts_ns[STARTS_MAX]; /* the last ones, … */
	uint32_t starts_n;              /* … of so many */
	bool wait_said;                 /* … and that they come too often */
	int64_t owed; /* to fuzzing, before a finding has its turn: budget.c */
	uint64_t finding_ns; /* its time that findings had */
	uint64_t result_ns;  /* of the last result, … */
	bool was_finding;    /* … which was for a finding */
	uint64_t calls;      /* for the PRNG */
	uint64_t restart_ns; /* when to start it again, 0: not waiting */
	char restart_why[256];
	bool restart_asked; /* by the user: nothing failed */
	bool refit;         /* its memory is too small: it is started again */
	char entry[17];     /* of the job under way */
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

/* A limit was changed; its effect is told later. */
struct limit_effect {
	char limit[24], before[64], after[64];
	double rate;    /* executions per second before */
	uint64_t count; /* executions then … */
	uint64_t at_ns; /* … and elapsed time */
};

/* A coverage input that waits for, or is in, minimization. */
struct trim_job {
	struct corpus_entry *entry;
	struct coverage_pair *keep; /* owned */
	uint32_t keep_n;
	struct minimize_task *minimization; /* an operator's; NULL: by itself */
};

/* A front end's question that waits for what workers tell. */
struct pc_table_call_query {
	uint64_t id;
	uint64_t since_ns; /* 0: none */
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

	struct pc_table places; /* where the counters of the mask stand */
	struct pc_table_call_query table_queries[PC_TABLE_CALL_QUERIES_MAX];
	bool table_answering; /* one that may wait no longer */
	struct new_functions *reached;
	struct names *names;
	struct report_names *report_names;
	bool blind_said; /* … that there cannot be any */
	struct store *store;
	struct corpus *corpus;
	struct energy *energy;
	struct corpus_list *corpus_list;
	struct mutation_logs *trails;         /* how its entries were made */
	uint64_t tickets_ns, tickets_took_ns; /* when they were made */
	uint64_t unkept;     /* inputs that the disk does not have yet */
	struct queue inputs; /* struct corpus_entry, borrowed */
	struct queue wishes; /* the same, of a user: they come before those */
	struct queue trims;  /* struct trim_job, owned */
	size_t trim_bytes;   /* of the pairs that these are to keep */
	struct finding **findings;
	size_t findings_n;
	struct finding *crash_minimizing;     /* under --stop-on-crash */
	struct minimize_task **minimizations; /* owned, oldest first */
	size_t minimizations_n;
	/* What came of those that have ended, the newest first. */
	struct snapshot_minimized minimized[SNAPSHOT_MINIMIZED_MAX];
	size_t minimized_n;
	struct finding **merged; /* into others of `findings` */
	size_t merged_n;
	struct stack_hashes signatures; /* of failures, and their buckets */
	struct bucket_ask **bucket_asks;
	size_t bucket_asks_n;
	uint32_t naming_n; /* findings whose names are asked for */
	bool overflow_said;

	/* Counts, as section 4.3 of the reference names them. */
	uint64_t count, waiting, interesting, replays, rejected;
	uint64_t warmup_total, warmup_left;
	struct seeds *seeds;     /* being loaded; NULL: done */
	struct lineage *lineage; /* of earlier runs, while seeds are loaded */
	bool loading;
	char **labels; /* file names of seeds, by index of the entry */
	size_t labels_n;
	size_t longest;                 /* input of the corpus */
	size_t len_cap;                 /* length control; 0: not begun */
	uint64_t len_count, find_count; /* executions at the last step, find */
	uint64_t trim_count;            /* executions, see schedule.c */
	uint64_t words_learned;         /* from comparisons that led to finds */
	uint64_t progress;              /* entries that are nothing else */
	size_t progress_bytes;          /* in memory alone */
	struct mutator_stats yields;    /* of the kinds of mutations */
	uint64_t call_ms; /* how long the next call lasts, of its processor */
	uint64_t processors;
	uint64_t confirmed_finds, unstable_finds;
	uint64_t suspects;
	struct finding *on_probation[SUSPECTS_WAITING]; /* to be replayed */
	size_t on_probation_n;
	uint64_t suspect_ways[SUSPECT_WAYS]; /* by signal; 0: others */
	uint64_t hangs_doubted, slow_inputs;
	struct rate rate;
	double rate_at_pause;
	struct limit_effect effect;
	bool effect_due;              /* … and not told yet */
	uint64_t line_count, line_ns; /* of the last statistics line */

	uint64_t start_ns, fuzz_start_ns, pause_began_ns;
	uint64_t paused_ns;      /* the pause under way not included */
	uint64_t warm_paused_ns; /* of that, before fuzzing began */
	/* In time of the campaign; 0: no find yet. */
	double last_find_s, plateau_gap_s;
	bool paused, stopping, ended, any_ready;
	bool refused;             /* the output directory is another target's */
	struct tuple_types types; /* that the target takes; when any_ready */
	char function[64];        /* that a typed one is made of; "": unknown */
	bool draining;            /* no new executions; replays are finished */
	bool drain_minimize;      /* … and minimizations too */
	uint64_t drain_ns;        /* … until then; 0: as long as it takes */
	bool odd_return_said, module_room_said, disk_said;
	bool mutator_length_said;
	uint64_t mutator_failures;
	struct kept_warning {
		const char *kind; /* of its event */
		char *text;
	} * warnings; /* what is to be said when the run begins */
	size_t warnings_n;
	enum stop_step stop_step;
	uint64_t stop_ns; /* when it began to stop; 0: it did not */
	enum end_reason why;
	struct error fatal;
	enum exit_status fatal_status;
	double past_s; /* elapsed time of earlier runs … */
	uint64_t past_execs,
		past_bits; /* … executions, coverage at their end */
	uint32_t runs;     /* of the campaign, this one included */
	bool found;        /* a seed failed; findings: see triage_found() */
	bool lost;         /* something could not be kept or done */
	char sanitizer[32];
	bool instrumented;

	struct event_ring *events; /* of the journal, the newest */
	uint64_t snapshot_seq;
	char message[256];
	struct server *server;    /* NULL: none */
	struct export *exporting; /* being written; NULL: none */
};

/* engine.c */
void engine_stop(struct engine *e, enum end_reason why);
/* Said when the run begins; kind: of its event. */
void engine_keep_warning(struct engine *e, const char *kind, const char *text);
void engine_fail(struct engine *e, enum exit_status status, const char *fmt,
	...) __attribute__((format(printf, 3, 4)));
void engine_drain(struct engine *e, enum end_reason why, bool minimizations);
void engine_check_end(struct engine *e);
uint64_t engine_drain_left_ms(const struct engine *e);
void engine_set_paused(struct engine *e, bool paused);
uint64_t engine_elapsed_ns(const struct engine *e); /* unpaused */
/* Of the campaign, earlier runs included: what is told of its past. */
double engine_campaign_s(const struct engine *e);
uint64_t engine_fuzzed_ns(const struct engine *e); /* unpaused, warm */
uint64_t engine_paused_ns(const struct engine *e, uint64_t now);
uint64_t engine_executions(const struct engine *e); /* sampled */
bool engine_warming(const struct engine *e);
enum exit_status engine_status(const struct engine *e);
uint64_t engine_limit(const struct engine *e); /* executions, 0 = none */

/* load.c */
/* The first worker is ready. E_EXISTS: the output directory is of a target that
 * takes something else. */
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
/* Other bytes, which are as good; NULL: there are none. */
void coordinator_shrink_entry(struct engine *e, struct corpus_entry *entry,
	const uint8_t *best, size_t len, uint64_t tries);
/* Its bytes cannot be had any more. */
void coordinator_skip_input(struct engine *e, struct corpus_entry *entry);

/* origin.c */
/* An input was kept, of which this parent had a part. */
void mutation_origin_note_find(struct engine *e,
	const struct corpus_entry *entry, struct corpus_entry *parent,
	const struct job *job, const struct find *find);
/* A failure is a finding now; parent may be NULL. */
void mutation_origin_note_finding(struct engine *e, struct finding *f,
	const struct worker_result *r, struct corpus_entry *parent);

/* schedule.c */
bool schedule_next(struct engine *e, struct slot *slot, struct job *job);
void schedule_taken(struct engine *e, struct slot *slot, struct job *job);
/* What the children do next depends on what was found. */
void schedule_refresh(struct engine *e);
/* A fuzzing call is over; did it find anything? */
void schedule_adapt(struct engine *e, struct slot *slot,
	const struct worker_result *r, bool found);
bool schedule_may_minimize(const struct engine *e);
/* One worker in four minimizes or runs sequences, at least one. */
bool schedule_minimizer_free(const struct engine *e);
bool schedule_is_fifo(const struct engine *e); /* as the reference */

/* budget.c */
/* A result is in: its time is charged, … */
void finding_budget_charge(struct engine *e, struct slot *slot,
	const struct worker_result *r);
/* … and that of the start that it made necessary. */
void finding_budget_charge_start(struct engine *e, struct slot *slot);
/* Whether this worker may take up a finding now. */
bool finding_budget_has_time(const struct slot *slot);
/* How long a single call for a finding may be; idle: nobody fuzzes. */
uint64_t finding_budget_room_ms(const struct engine *e, bool idle);

/* trim.c */
/* This find waits for its turn, if there is room. */
void trim_add(struct engine *e, struct corpus_entry *entry,
	const struct find *find);
/* The next one, if it is time for one; it waits until it is taken. */
bool trim_next(struct engine *e, struct job *job);
void trim_taken(struct engine *e);           /* the job's owner owns it now */
void trim_job_destroy(struct trim_job *job); /* NULL is fine */
void trim_drop_all(struct engine *e);

/* tables.c */
/* Workers have these modules, which have their places in the mask. */
void pc_table_calls_add_modules(struct engine *e,
	const struct counter_module *modules, uint32_t n);
/* A question for an idle worker, if there is one. */
bool pc_table_calls_next(struct engine *e, struct job *job);
void pc_table_calls_on_result(struct engine *e, const struct worker_result *r);
/* Whether a query has to wait: it is answered again when all is known. */
bool pc_table_calls_hold(struct engine *e, uint64_t id,
	const struct query *query);
void pc_table_calls_tick(struct engine *e); /* who has waited long enough */

/* triage.c */
void triage_on_failure(struct engine *e, struct slot *slot,
	const struct worker_result *r, struct corpus_entry *parent);
/* The list owns it from now on. */
void triage_adopt(struct engine *e, struct finding *take_finding);
void triage_resume(struct engine *e);
void triage_on_replay(struct engine *e, struct finding *f,
	const struct worker_result *r);
/* Its minimization is over; best: NULL: nothing came of it. */
void triage_on_minimized(struct engine *e, struct finding *f,
	const uint8_t *best, size_t len, uint64_t tries, const char *why_not);
/* Where failures of that raw signature belong; NULL: it is new. */
struct finding *triage_of_signature(struct engine *e, uint64_t signature);
/* A hang: a finding as soon as a longer limit does not change that. */
struct finding *triage_make(struct engine *e, const struct worker_result *r,
	struct corpus_entry *parent);
void triage_believe(struct engine *e, struct finding *take_finding,
	const struct worker_result *r);
/* A suspect's input failed by itself, in r: it is a finding after all. */
void triage_add_suspect(struct engine *e, const struct finding *suspect,
	const struct worker_result *r);
/* The next that waits for this; a call for it takes no more than room_ms. */
struct finding *triage_next(struct engine *e, enum finding_work work,
	uint64_t room_ms);
struct finding *triage_find(struct engine *e, const char *id);
/* Replays that a new failure of this kind gets, and what comes after. */
uint32_t verify_replays(const struct engine *e, const struct failure *failure);
void triage_verify_again(struct finding *f, uint32_t replays);
/* Its replays are over. */
void triage_note_verdict(struct engine *e, struct finding *f);
/* It failed on these bytes: verdicts on another build count no longer. */
void triage_note_build(struct engine *e, struct finding *f, const uint8_t *data,
	size_t len);
void triage_after_verify(struct engine *e, struct finding *f);
bool triage_can_minimize(const struct finding *f);
/* There is a smaller one already, which stays. */
bool triage_is_minimized(const struct engine *e, const struct finding *f);
bool triage_is_beaten(const struct engine *e, const struct finding *f,
	size_t len);
void triage_on_final(struct engine *e, struct finding *f,
	const struct worker_result *r);
void triage_keep_minimized(struct engine *e, struct finding *f);
bool triage_busy(const struct engine *e);  /* replays are outstanding */
bool triage_found(const struct engine *e); /* something, in this run */
void triage_finish(struct engine *e);      /* before the store's end */
/* A replay has failed as well. */
void triage_seen_again(struct engine *e, struct finding *f);
/* What the next start is to do: "verify", "minimize"; NULL: nothing. */
const char *triage_left(const struct finding *f);
void triage_ignore(struct engine *e, struct finding *f); /* or no longer */
/* What it is to the user: new, known or ignored. */
void triage_mark(struct engine *e, struct finding *f, enum finding_state state);
void triage_clear(struct engine *e);

/* triage_sequence.c */
#define PRELUDES_MAX 64u /* findings that are known with what ran before */
/* A new finding: what ran before it is kept until it is not needed. */
void triage_note_prelude(struct engine *e, struct finding *f,
	const struct worker_result *r);
/* It does not fail alone; false: nothing is known of what ran before. */
bool triage_begin_sequence(struct engine *e, struct finding *f);
bool triage_next_sequence(struct engine *e, uint64_t room_ms, struct job *job);
/* What its next try takes, about. */
uint64_t triage_sequence_ms(const struct engine *e, const struct finding *f);
void triage_on_sequence(struct engine *e, struct finding *f,
	const struct worker_result *r);
/* The one that is kept, as often as replays_wanted says. */
enum status triage_replay_sequence(struct engine *e, struct finding *f,
	struct error *err) MUST_CHECK;
/* The end: what the next start needs to go on is on the disk. */
void triage_finish_sequence(struct engine *e, struct finding *f);
void triage_drop_sequence(struct finding *f);
/* It is verified: nobody needs what ran before any more. */
void triage_drop_before(struct engine *e, struct finding *f);

/* What its frames are called is known (news), or not in time. */
void triage_on_named(struct engine *e, struct finding *f, bool news);

/* Nothing more will be known of where it failed. */
void triage_on_source(struct engine *e, struct finding *f);

/* mutator.c */
/* A failure of that kind, which is no finding. */
void mutator_on_failure(struct engine *e, const struct failure *failure);
/* It returned more than it was allowed to. */
void mutator_on_length(struct engine *e);

/* naming.c */
/* Asks; its announcement waits a moment for the answer. */
void naming_start(struct engine *e, struct finding *f);
/* Asks for those that are unasked. */
void naming_next(struct engine *e);
/* Its report is written again when the places in it have names. False: there
 * is nothing to ask. */
bool naming_report(struct engine *e, struct finding *f);
bool naming_busy(const struct engine *e);     /* something waits for names */
pid_t naming_process(const struct engine *e); /* has all modules; 0: none */

/* identity.c */
/* The finding that a failure belongs to; NULL: it is new. */
struct finding *dedup_find(struct engine *e, const struct failure *failure);
/* A new one, for triage_adopt(). */
struct finding *dedup_create(struct engine *e, const struct failure *failure);
/* Of one that is on no list yet: more is known of how it fails. */
void dedup_renew(struct engine *e, struct finding *f,
	const struct failure *failure);
/*
 * Its names are known as far as they will be. True: it is another finding,
 * into which it was merged.
 */
bool dedup_settle(struct engine *e, struct finding *f);
/* Those for which that had to wait. */
void dedup_tick(struct engine *e);
/* One of an earlier run, by its crash.json. */
void dedup_resume(struct engine *e, struct finding *f, const json_t *info);
void dedup_clear(struct engine *e);

/*
 * The bucket of failures with that signature (failure_signature()). False: it
 * is not known, or not yet. Costs nothing.
 */
bool bucket_known(const struct engine *e, uint64_t signature, uint64_t *bucket);
/*
 * Asks for the bucket of a failure that need not become a finding: `done`
 * comes later, from the loop, but for the engine's end. False: it will not
 * come; the bucket is known now, or too much is asked already.
 */
typedef void bucket_done_fn(void *arg, uint64_t bucket);
bool bucket_ask(struct engine *e, const struct failure *failure,
	bucket_done_fn *done, void *arg);

/* details.c */
/* What is to be known of a finding elsewhere, where the engine is not. */
void finding_details_put(const struct engine *e, const struct finding *f,
	json_t *json);

/* rerun.c */
#define RERUN_MAX 16384u
/* Options of `cfuzz repro` that this campaign needs, each with a blank before
 * it. */
void rerun_options(const struct engine *e, char *buf, size_t size);
/* The line that runs a finding's input again, for a shell. It works in any
 * folder, or as short as the user has named things. */
void rerun_command(const struct engine *e, const struct finding *f, bool any,
	char *buf, size_t size);
/* Below the output directory, absolute; "" stands for the directory. */
void rerun_path(const struct engine *e, const char *folder, char *buf,
	size_t size);

/* export.c */
/*
 * Has all that a report of the bug needs written into a new folder, which may
 * be NULL. The command under way is answered when it is there; one at a time.
 */
enum status export_begin(struct engine *e, const struct finding *f,
	const char *folder, struct error *err) MUST_CHECK;
/* The same by hand: NULL is a failure, or steps until there are no more. */
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
/* To the front end alone; and to all, once: it is on disk. */
void record_report_again(struct engine *e, const struct finding *f);
void record_report(struct engine *e, enum report_kind kind,
	const struct finding *f);
void record_announce(struct engine *e, struct finding *f);
/* What is news of it is told when all of its files that the writer tells of
 * (record_on_kept) are on the disk; in a deterministic run at once. */
void record_when_kept(struct engine *e, struct finding *f);
writer_done_fn record_on_kept;

/* suspect.c */
void suspect_on_end(struct engine *e, const struct worker_result *r);
void suspect_on_replay(struct engine *e, struct finding *suspect,
	const struct worker_result *r);
/* A hang is believed when it hangs again, with more time. */
void suspect_on_hang(struct engine *e, const struct worker_result *r,
	struct corpus_entry *parent);
/* It is a finding, and on the disk as one. */
void suspect_drop_file(struct engine *e, struct finding *f);
/* What a replay of it may take; least: … at the very least. */
uint64_t suspect_hang_ms(const struct engine *e, const struct finding *f);
uint64_t suspect_least_ms(const struct engine *e, const struct finding *f);
struct finding *suspect_next(const struct engine *e, uint64_t room_ms);
void suspect_clear(struct engine *e);
/* Those that are to be run again, for stats.json; NULL: none. */
json_t *suspects_left(const struct engine *e);
void suspects_resume(struct engine *e, const json_t *left);
/* The folder of a finding of which a sudden end has left the input alone. */
void suspect_adopt(struct engine *e, const char *folder);

/* pool.c */
enum status pool_open(struct engine *e, struct error *err) MUST_CHECK;
void pool_close(struct engine *e);
/* Orphans that come while all workers live are none of theirs. */
void pool_note_orphans(struct engine *e);
void pool_resize(struct engine *e, uint32_t n);
uint32_t pool_wanted(const struct engine *e);
bool pool_all_down(const struct engine *e);
void pool_tick(struct engine *e, uint64_t now);
void pool_wake(struct engine *e); /* gives work to whoever is idle */
void pool_set_limits(struct engine *e);
struct slot *pool_slot(struct engine *e, const struct worker *w);

/* lines.c */
void message_print(struct engine *e, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
/* A line and an event: what is wrong, and goes on all the same. */
void message_warn(struct engine *e, const char *kind, const char *text);
/* A line of the journal, which an earlier run has written: to the screen. */
void message_recall(struct engine *e, const json_t *event);
/* Of the first worker: what was forgotten when the target was built. */
void hints_say(struct engine *e, const struct rpc_reply *ping);
void message_statistics(struct engine *e);
void message_warm(struct engine *e); /* W2 or W4 */
/* An event: into the journal, to the front ends, to the screen. */
void message_event(struct engine *e, const char *kind, json_t *take_members,
	const char *fmt, ...) __attribute__((format(printf, 4, 5)));

/* refit.c */
/* Can workers be made for inputs of that length? */
enum status grow_memory_check(const struct engine *e, uint64_t max_len,
	struct error *err) MUST_CHECK;
uint64_t grow_memory_max_len(
	const struct engine *e); /* that all have room for */
/* Has another worker, which has more room, made what is too long for this? */
bool grow_memory_needed(struct slot *slot, const struct job *job);
void grow_memory_tick(struct engine *e);

/* effects.c */
double limit_effects_rate(
	const struct engine *e); /* now, or before the pause */
void limit_effects_note(struct engine *e, const char *limit, const char *before,
	const char *after);
/* last: nothing is waited for any more. */
void limit_effects_tick(struct engine *e, bool last);

/* view.c */
void view_make(struct engine *e, struct snapshot *snapshot);
void view_build(const char *id, char buf[FINDING_BUILD_SIZE]);
/* A minimization has ended: `of` has its name, title and numbers. */
void view_note_minimized(struct engine *e, const struct snapshot_minimized *of);
void view_finding_title(const struct finding *f, char *buf, size_t size);
void view_finding(struct engine *e, const struct finding *f,
	struct snapshot_finding *view);
void rate_add(struct rate *rate, uint64_t now, uint64_t value);
double rate_get(const struct rate *rate, uint64_t now, uint64_t value);

/* view_search.c */
void view_search(const struct engine *e, struct snapshot *snapshot);

/* past.c */
void earlier_runs_resume(struct engine *e); /* after triage_resume() */

/* commands.c */
typedef enum status command_fn(struct engine *e, const struct command *c,
	char *answer, size_t size, struct error *err);
command_fn command_step; /* minimizing_steps.c */
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

/* answers.c */
/* The answer goes to the server, now or later. */
void answers_take(struct engine *e, uint64_t id, const struct query *query);

/*
 * answer_*.c: the answer to a query. OK: it is in *reply, which is empty
 * before. E_BUSY: server_reply() comes later, with this id.
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

/* How many of its `all` rows or bytes an answer has; it has no more than
 * `most`. */
uint64_t answer_count(const struct query *query, uint64_t all, uint64_t most);

/* What a query is about: an entry, or else a finding, perhaps its minimized
 * input. */
struct subject {
	struct corpus_entry *entry;
	struct finding *finding;
	bool minimized;
};

/* An entry by name or the beginning of one, a finding by id, or with "/min". */
enum status answer_find(struct engine *e, const char *name,
	struct subject *subject, struct error *err) MUST_CHECK;
/* What is to be read of a finding, "ID/call", "ID/seq"; false: it is not that
 * that is asked for. */
bool answer_text(struct engine *e, const struct query *query,
	struct reply_entry *r);
/* The piece that is asked for. */
void answer_put_bytes(const struct query *query, const void *data, size_t len,
	struct reply_entry *r);
/* What an entry was made from; NULL: nothing that is known. */
const struct corpus_entry *answer_parent(const struct engine *e,
	const struct corpus_entry *entry);
void answer_row(const struct engine *e, const struct corpus_entry *entry,
	struct reply_row *row);

/* server.c */
struct server *server_create(struct engine *e, int take_fd);
void server_destroy(struct server *server);
void server_tick(struct server *server, uint64_t now);
/*
 * The command under way is answered later, by server_answer_late(), which the
 * console may have left before. False: nobody waits.
 */
bool server_hold(struct server *server, json_int_t *id);
void server_answer_late(struct server *server, json_int_t id, bool ok,
	const char *text);
/* It has not read yet what it was told: nothing large now. NULL is fine. */
bool server_is_behind(const struct server *server);
/* Of a console that may have gone since; NULL is fine. */
void server_reply(struct server *server, uint64_t id,
	const struct reply *reply);
void server_say_bye(struct server *server, const char *text);
/* Waits until the console has all, not for ever. */
void server_flush(struct server *server);

#endif
