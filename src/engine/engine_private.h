/*
 * engine_private: the one owner of a campaign's state, and the parts that
 * work on it. One thread, one loop.
 *
 *	engine.c	set-up, the loop, the end
 *	coordinator.c	what a result means: the one place that decides
 *	schedule.c	what a worker does next
 *	triage.c	findings: saved, replayed, minimized
 *	mutator.c	what the target's own mutator does wrong
 *	naming.c	the names of a finding's frames
 *	record.c	what is written and told of a finding
 *	suspect.c	ends that need not be an input's fault
 *	pool.c		workers: started, restarted, retired
 *	lines.c		the log lines and journal events
 *	view.c		the snapshot
 *	view_search.c	what it says of the search itself
 *	commands.c	what a front end may ask for
 *	server.c	the control socket
 */
#ifndef CFUZZ_ENGINE_ENGINE_PRIVATE_H
#define CFUZZ_ENGINE_ENGINE_PRIVATE_H

#include <event2/event.h>

#include "control/command.h"
#include "control/settings.h"
#include "control/snapshot.h"
#include "engine/campaign_memory.h"
#include "engine/corpus.h"
#include "engine/elf.h"
#include "engine/energy.h"
#include "engine/engine.h"
#include "engine/finding.h"
#include "engine/names.h"
#include "engine/queue.h"
#include "engine/seeds.h"
#include "engine/store.h"
#include "engine/worker.h"
#include "engine/yields.h"

#define RATE_SAMPLES 32
#define SUSPECT_WAYS 65
#define SUSPECTS_WAITING 16

/* Executions over the last 3 s, from samples 100 ms apart. */
struct rate {
	uint64_t at_ns[RATE_SAMPLES], value[RATE_SAMPLES];
	unsigned n, next;
};

/* What the engine knows of a slot beyond the worker itself. */
/* What a deterministic call has, whatever time that takes. */
#define CALL_EXECUTIONS 5000u
#define UNKEPT_MAX 20000u /* inputs wait for the disk: no more are made */

struct slot {
	struct worker *worker; /* NULL: never used */
	uint64_t execs, finds, fuzz_ns;
	struct rate rate;
	double pace;     /* executions per millisecond of the last call */
	bool wanted;     /* false: retiring or retired */
	bool ready_once; /* the ping was answered at least once */
	bool idle_probe; /* on its way to a job in this turn */
	uint32_t failed_starts;
	uint64_t calls;      /* for the PRNG */
	uint64_t restart_ns; /* when to start it again, 0: not waiting */
	char restart_why[64];
	char entry[17]; /* of the job under way */
	uint32_t generation;
	size_t entry_len;
	char verdict[96];
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

/* A coverage input that waits for, or is in, minimization. */
struct trim_job {
	struct corpus_entry *entry;
	struct coverage_pair *keep; /* owned */
	uint32_t keep_n;
};

struct engine {
	struct event_base *base;
	struct event *tick_event, *second_event, *log_event, *load_event;
	struct event *signal_events[3];
	struct settings settings;
	char *target_path, *target_name, *output_path;
	char **argv, **envp;
	struct target_info target;
	engine_report_fn *report;
	void *report_arg;

	struct campaign_memory memory;
	struct worker_handlers handlers;
	struct slot slots[MEMORY_WORKERS_MAX];
	uint32_t slots_n;

	struct names *names;
	struct store *store;
	struct corpus *corpus;
	struct energy *energy;
	uint64_t tickets_ns, tickets_took_ns; /* when they were made */
	uint64_t unkept;     /* inputs that the disk does not have yet */
	struct queue inputs; /* struct corpus_entry, borrowed */
	struct queue trims;  /* struct trim_job, owned */
	size_t trim_bytes;   /* of the pairs that these are to keep */
	struct finding **findings;
	size_t findings_n;
	struct finding *crash_minimizing; /* under --stop-on-crash */

	/* Counts, as section 4.3 of the reference names them. */
	uint64_t count, waiting, interesting, replays, rejected;
	uint64_t warmup_total, warmup_left;
	struct seeds *seeds; /* being loaded; NULL: done */
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
	struct yields yields;           /* of the kinds of mutations */
	uint64_t call_ms;               /* how long the next call lasts */
	uint64_t confirmed_finds, unstable_finds;
	uint64_t suspects;
	struct finding *on_probation[SUSPECTS_WAITING]; /* to be replayed */
	size_t on_probation_n;
	uint64_t suspect_ways[SUSPECT_WAYS]; /* by signal; 0: others */
	struct rate rate;
	uint64_t line_count, line_ns; /* of the last statistics line */

	uint64_t start_ns, fuzz_start_ns, pause_began_ns;
	uint64_t paused_ns;      /* the pause under way not included */
	uint64_t warm_paused_ns; /* of that, before fuzzing began */
	uint64_t last_find_ns, plateau_gap_ns;
	bool paused, stopping, ended, any_ready;
	bool draining;       /* no new executions; replays are finished */
	bool drain_minimize; /* … and minimizations too */
	bool odd_return_said, module_room_said, disk_said;
	bool mutator_length_said;
	uint64_t mutator_failures;
	char **warnings; /* what is to be said when the run begins */
	size_t warnings_n;
	enum stop_step stop_step;
	enum end_reason why;
	struct error fatal;
	enum exit_status fatal_status;
	double past_s; /* elapsed time of earlier runs */
	bool found;    /* a finding in this run */
	bool lost;     /* something could not be kept or done */
	char sanitizer[32];
	bool instrumented;

	struct snapshot_event events[64];
	uint64_t events_n; /* ever; the last 64 are kept */
	uint64_t snapshot_seq;
	char message[256];
	struct server *server; /* NULL: none */
};

/* engine.c */
void engine_stop(struct engine *e, enum end_reason why);
void engine_fail(struct engine *e, enum exit_status status, const char *fmt,
	...) __attribute__((format(printf, 3, 4)));
void engine_drain(struct engine *e, enum end_reason why, bool minimizations);
void engine_check_end(struct engine *e);
void engine_set_paused(struct engine *e, bool paused);
uint64_t engine_elapsed_ns(const struct engine *e);
uint64_t engine_fuzzed_ns(const struct engine *e); /* unpaused, warm */
uint64_t engine_paused_ns(const struct engine *e, uint64_t now);
uint64_t engine_executions(const struct engine *e); /* sampled */
bool engine_warming(const struct engine *e);
enum exit_status engine_status(const struct engine *e);
uint64_t engine_limit(const struct engine *e); /* executions, 0 = none */

/* coordinator.c */
void coordinator_on_result(void *arg, struct worker *w,
	const struct worker_result *r);
void coordinator_on_modules(void *arg, struct worker *w,
	const struct counter_module *modules, uint32_t n);
struct corpus_entry *coordinator_add_input(struct engine *e,
	const uint8_t *data, size_t len, const struct corpus_entry *parent,
	bool save);
void coordinator_finish_warmup(struct engine *e);
/* Its bytes cannot be had any more. */
void coordinator_skip_input(struct engine *e, struct corpus_entry *entry);

/* schedule.c */
bool schedule_next(struct engine *e, struct slot *slot, struct job *job);
void schedule_taken(struct engine *e, struct slot *slot, struct job *job);
/* What the children do next depends on what was found. */
void schedule_refresh(struct engine *e);
/* A fuzzing call is over; did it find anything? */
void schedule_adapt(struct engine *e, struct slot *slot,
	const struct worker_result *r, bool found);
bool schedule_may_minimize(const struct engine *e);
bool schedule_is_fifo(const struct engine *e); /* as the reference */

/* trim.c */
/* This find waits for its turn, if there is room. */
void trim_add(struct engine *e, struct corpus_entry *entry,
	const struct find *find);
/* The next one, if it is time for one; it waits until it is taken. */
bool trim_next(struct engine *e, struct job *job);
void trim_taken(struct engine *e);           /* the job's owner owns it now */
void trim_job_destroy(struct trim_job *job); /* NULL is fine */
void trim_drop_all(struct engine *e);

/* triage.c */
void triage_on_failure(struct engine *e, struct slot *slot,
	const struct worker_result *r, struct corpus_entry *parent);
/* The list owns it from now on. */
void triage_adopt(struct engine *e, struct finding *take_finding);
void triage_resume(struct engine *e);
void triage_on_replay(struct engine *e, struct finding *f,
	const struct worker_result *r);
void triage_on_minimized(struct engine *e, struct finding *f,
	const struct worker_result *r);
/* A suspect's input failed by itself, in r: it is a finding after all. */
void triage_add_suspect(struct engine *e, const struct finding *suspect,
	const struct worker_result *r);
struct finding *triage_next(struct engine *e, enum finding_work work);
struct finding *triage_find(struct engine *e, const char *id);
bool triage_busy(const struct engine *e); /* replays are outstanding */
void triage_finish(struct engine *e);     /* before the store's end */
void triage_ignore(struct engine *e, struct finding *f); /* or no longer */
void triage_clear(struct engine *e);

/* What its frames are called is known, or will not be known in time. */
void triage_on_named(struct engine *e, struct finding *f, bool news);

/* mutator.c */
/* A failure of that kind, which is no finding. */
void mutator_on_failure(struct engine *e, const struct failure *failure);
/* It returned more than it was allowed to. */
void mutator_on_length(struct engine *e);

/* naming.c */
/* Asks; its announcement waits a moment for the answer. */
void naming_start(struct engine *e, struct finding *f);
bool naming_busy(const struct engine *e); /* an announcement waits */

/* record.c */
json_t *record_trail(const struct worker_result *r);
void record_save_json(struct engine *e, const struct finding *f);
void record_put_report(struct engine *e, const struct finding *f,
	const char *report, size_t len);
void record_save_report(struct engine *e, struct finding *f,
	const struct worker_result *r);
/* To the front end alone; and to all, once: it is on disk. */
void record_report(struct engine *e, enum report_kind kind,
	const struct finding *f);
void record_announce(struct engine *e, struct finding *f);

/* suspect.c */
void suspect_on_end(struct engine *e, const struct worker_result *r);
void suspect_on_replay(struct engine *e, struct finding *suspect,
	const struct worker_result *r);
struct finding *suspect_next(const struct engine *e);
void suspect_clear(struct engine *e);

/* pool.c */
enum status pool_open(struct engine *e, struct error *err) MUST_CHECK;
void pool_close(struct engine *e);
void pool_resize(struct engine *e, uint32_t n);
uint32_t pool_wanted(const struct engine *e);
bool pool_all_down(const struct engine *e);
void pool_tick(struct engine *e, uint64_t now);
void pool_wake(struct engine *e); /* gives work to whoever is idle */
void pool_set_limits(struct engine *e);
struct slot *pool_slot(struct engine *e, const struct worker *w);

/* lines.c */
void lines_print(struct engine *e, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
/* A line and an event: what is wrong, and goes on all the same. */
void lines_warn(struct engine *e, const char *kind, const char *text);
void lines_statistics(struct engine *e);
void lines_warm(struct engine *e); /* W2 or W4 */
/* An event: into the journal, to the front ends, to the screen. */
void lines_event(struct engine *e, const char *kind, json_t *take_members,
	const char *fmt, ...) __attribute__((format(printf, 4, 5)));

/* view.c */
void view_make(struct engine *e, struct snapshot *snapshot);
void view_finding(struct engine *e, const struct finding *f,
	struct snapshot_finding *view);
void rate_add(struct rate *rate, uint64_t now, uint64_t value);
double rate_get(const struct rate *rate, uint64_t now, uint64_t value);

/* view_search.c */
void view_search(const struct engine *e, struct snapshot *snapshot);

/* commands.c */
enum status commands_run(struct engine *e, const char *line, char *answer,
	size_t size, struct error *err);

/* server.c */
struct server *server_create(struct engine *e, int take_fd);
void server_destroy(struct server *server);
void server_tick(struct server *server, uint64_t now);
void server_say_bye(struct server *server, const char *text);
/* Waits until the console has all, not for ever. */
void server_flush(struct server *server);

#endif
