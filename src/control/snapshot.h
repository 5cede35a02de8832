/*
 * snapshot: the whole state of a campaign as a plain copy.
 *
 * The engine makes one, ten times a second; the console, stats.json and
 * scripts see nothing else of the engine. The JSON of a snapshot is the
 * content of stats.json. Arrays and texts belong to the snapshot.
 */
#ifndef CFUZZ_CONTROL_SNAPSHOT_H
#define CFUZZ_CONTROL_SNAPSHOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "shared/status.h"

#define SNAPSHOT_VERSION 1
#define SNAPSHOT_HEX 512u  /* bytes of a minimized input, shown live */
#define SNAPSHOT_INPUT 32u /* … of a worker's: QUERY_WORKER has more */

/* The most that travel; more of them are left out. */
#define SNAPSHOT_WORKERS_MAX 256u
#define SNAPSHOT_FINDINGS_MAX 200u
#define SNAPSHOT_MINIMIZATIONS_MAX 256u
#define SNAPSHOT_EVENTS_MAX 64u
#define SNAPSHOT_LIMITS_MAX 64u
#define SNAPSHOT_MUTATORS_MAX 64u
#define SNAPSHOT_MINIMIZED_MAX 16u
#define SNAPSHOT_PAST_MAX 128u /* a graph shows no more */

/* How a snapshot is written: reals without digits that mean nothing. */
#define SNAPSHOT_DUMP_FLAGS (JSON_INDENT(2) | JSON_REAL_PRECISION(10))

enum run_state {
	RUN_STARTING,
	RUN_WARMUP,
	RUN_FUZZING,
	RUN_MINIMIZING, /* a crash under --stop-on-crash */
	RUN_PAUSED,
	RUN_STOPPING,
	RUN_ENDED,
	RUN_STATE_COUNT
};

enum worker_view_state {
	WORKER_VIEW_DOWN,
	WORKER_VIEW_STARTING,
	WORKER_VIEW_IDLE,
	WORKER_VIEW_FUZZING,
	WORKER_VIEW_MINIMIZING,
	WORKER_VIEW_REPLAYING,
	WORKER_VIEW_PAUSED,
	WORKER_VIEW_STOPPING,
	WORKER_VIEW_STATE_COUNT
};

/* The stop ladder: what was sent last, and when the next step comes. */
enum stop_step {
	STOP_NONE,
	STOP_CLOSED,    /* stop word raised, fuzz_in closed */
	STOP_INTERRUPT, /* SIGINT sent */
	STOP_KILL,      /* SIGKILL sent */
	STOP_STEP_COUNT
};

struct snapshot_worker {
	uint32_t id;
	int64_t pid; /* keeper, 0: none */
	int64_t child;
	enum worker_view_state state;
	double state_s; /* for how long */
	bool paused;    /* by its own key */
	bool retiring;
	enum stop_step stop_step;
	double next_step_s; /* until the next step of the ladder, < 0: none */
	char entry[17];     /* name of the start value, "" = none */
	uint32_t generation;
	uint64_t entry_len;
	uint64_t execs, finds, restarts, deaths;
	double execs_per_sec;
	char restart_why[64]; /* the last one */
	bool restart_asked;   /* by the user: nothing failed */
	uint64_t rss_kb;      /* RssAnon of the child */
	double cpu;           /* cores, 0 … 1 */
	uint64_t fork_us;     /* making a child took */
	int64_t threads;      /* > 1: no fork */
	bool no_fork;
	uint64_t input_len; /* sampled: the value under execution … */
	uint8_t input[SNAPSHOT_INPUT]; /* … its first bytes */
	uint32_t input_n;
};

struct snapshot_finding {
	char id[24];      /* folder's last part: unique in the campaign */
	char folder[160]; /* below the output directory */
	char kind[24];    /* failure_kind_name() */
	char what[64];    /* "heap-buffer-overflow", "SIGSEGV", "exit 3" */
	char where[128];  /* "read_tile tile.c:118", "target+0x1234" */
	char apart[96];   /* from others of the same what and where, or "" */
	char text[256];   /* one line of the report */
	char state[16];   /* new confirmed flaky known ignored */
	uint64_t count;   /* times seen */
	double first_s, last_s;       /* elapsed time when seen */
	uint64_t len, minimized_len;  /* bytes; 0 minimized: not yet */
	uint32_t replays, reproduced; /* k of n */
	char standing
		[12];   /* with the target as it is now: open, not seen, gone */
	char build[12]; /* digits of the build that failed so, the last one */
	char replays_build[12]; /* … that ran the replays */
	bool minimizing;
	bool noted;        /* the user wrote something about it */
	uint32_t sequence; /* inputs that have to run in a row; 0, 1: itself */
};

struct snapshot_minimization {
	bool coverage; /* false: a failure */
	uint32_t worker;
	char entry[24];  /* input or finding */
	char title[128]; /* "heap-buffer-overflow in read_tile" */
	uint32_t phase;  /* enum minimize_phase */
	uint64_t position, tries, accepted;
	uint64_t start_len, best_len;
	uint64_t cut_offset, cut_len; /* the part under trial */
	/* Of a typed target `best` is text, so long, and the part is there; 0:
	 * it is the input itself. */
	uint64_t text_len, text_cut, text_cut_len;
	double elapsed_s;
	char verdict[96]; /* the last one, in words */
	uint32_t best_n;
	uint8_t best[SNAPSHOT_HEX]; /* first bytes of the best input */
	bool by_steps; /* tries come one by one, as the operator wants */
	bool held;     /* the next try comes when the operator says so */
	bool queued;   /* no try yet, it waits for a worker */
	double pace;   /* by steps, not held: tries a second; 0: all it can */
	uint64_t at;   /* the operator looks back at this try; 0: at the last */
	uint64_t others; /* tries that failed as something else */
};

struct snapshot_event {
	uint64_t seq;
	double at_s;
	char kind[24];  /* find crash hang oom minimized limit worker … */
	char text[200]; /* for people, printable UTF-8 */
	char about[24]; /* name of the entry or finding, "" = neither */
	double wall_s;  /* since 1970; 0: not known */
};

struct snapshot_limit {
	char name[24];
	char value[64];
	char origin[12]; /* default flag key */
	bool live;
};

/* A minimization that has ended, with what was kept. */
struct snapshot_minimized {
	char entry[24];  /* input or finding: the name that it had then */
	char title[128]; /* as of struct snapshot_minimization */
	uint64_t start_len, len, tries;
	double at_s;
};

/* A kind of mutation, and what has come of it. */
struct snapshot_mutator {
	char name[32];
	uint64_t steps, finds; /* taken; finds that it had a part in */
	double share; /* of the tries, 0 … 1; 0: it has its turn otherwise */
};

/* Of earlier runs: coverage at a time of the campaign, and what was found
 * since the point before. */
struct snapshot_past {
	double at_s;
	uint64_t bits, finds, findings;
};

struct snapshot {
	uint64_t seq;
	char target[256]; /* as the user wrote it */
	char output[256];
	char message[256]; /* answer to the last command, or "" */
	enum run_state state;
	char ended_why[128];
	int exit_status; /* as of now */
	double elapsed_s, paused_s, fuzz_time_s;
	/* Of earlier runs of the campaign, to be added to elapsed_s and execs;
	 * the coverage when the last one ended; how many runs, with this one. */
	double past_s;
	uint64_t past_execs, past_bits, runs;
	double triage_time_s; /* that findings had of the workers */
	uint64_t seed;

	uint64_t execs, replays;
	uint64_t execs_retired; /* of these: of workers that are no more */
	double execs_per_sec, execs_per_sec_avg;
	uint64_t counters_total, counters_hit, coverage_bits;
	double counters_stable;   /* percent of those reached: come back */
	uint64_t counters_masked; /* that did not, and do not count now */
	bool instrumented;
	bool isolated; /* targets are, see --isolate */
	char sanitizer[32];
	uint64_t warmup_done, warmup_total;

	uint64_t corpus, interesting, favoured, input_queue, minimize_queue;
	uint64_t progress_inputs; /* of the corpus: nearer to a comparison */
	double last_find_s;       /* seconds ago, < 0: never */
	double plateau_gap_s; /* longest gap between finds before the last */
	double stability;     /* percent of the finds */
	uint64_t rejected;
	uint64_t words, words_learned; /* of the dictionary, and of these */
	uint64_t length_cap;           /* bytes, of what is made now */

	uint64_t crashes, hangs, ooms, leaks; /* distinct */
	uint64_t crashes_seen, hangs_seen, ooms_seen, leaks_seen;
	/* Of them: that the user ignores; others of earlier builds alone. */
	uint64_t findings_ignored, findings_not_seen;
	char build[12];             /* digits of the target's build */
	uint64_t suspects, unsaved; /* unsaved: held in memory, disk trouble */
	double writer_behind_s;
	bool paused;
	enum stop_step stop_step;
	double next_step_s;

	struct snapshot_worker *workers;
	size_t workers_n;
	struct snapshot_finding *findings; /* newest first, at most 200 */
	size_t findings_n;
	struct snapshot_minimization *minimizations;
	size_t minimizations_n;
	struct snapshot_minimized *minimized; /* newest first */
	size_t minimized_n;
	struct snapshot_event *events; /* oldest first, the last 64 */
	size_t events_n;
	struct snapshot_limit *limits;
	size_t limits_n;
	struct snapshot_mutator *mutators; /* by their numbers */
	size_t mutators_n;
	struct snapshot_past
		*past; /* oldest first; the same in all snapshots */
	size_t past_n;
};

/* Empty: nothing found, no step to come. */
void snapshot_init(struct snapshot *snapshot);
void snapshot_clear(struct snapshot *snapshot);

const char *run_state_name(enum run_state state);

/*
 * The JSON of stats.json; a new reference. All texts pass text_clean();
 * numbers that JSON cannot hold become the nearest it can.
 */
json_t *snapshot_encode(const struct snapshot *snapshot) MUST_CHECK;

/* As it travels, ten times a second: with its lists as columns.h says. */
json_t *snapshot_encode_columns(const struct snapshot *snapshot) MUST_CHECK;

/*
 * The other way, of both: bounds every array and text; unknown
 * members are ignored, missing ones stay as in an empty snapshot. `snapshot`
 * must be initialised; it is cleared first, and stays empty on failure.
 */
enum status snapshot_decode(struct snapshot *snapshot, const json_t *json,
	struct error *err) MUST_CHECK;

#endif
