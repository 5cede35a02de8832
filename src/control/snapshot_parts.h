/*
 * snapshot_parts: the items of the lists in a snapshot, see snapshot.h.
 */
#ifndef CFUZZ_CONTROL_SNAPSHOT_PARTS_H
#define CFUZZ_CONTROL_SNAPSHOT_PARTS_H

#include <stdbool.h>
#include <stdint.h>

#define SNAPSHOT_HEX 512u  /* bytes shown of an input being minimized */
#define SNAPSHOT_INPUT 32u /* … of a worker's input; QUERY_WORKER has more */

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

/* The steps of a stop: the last one taken. */
enum stop_step {
	STOP_NONE,
	STOP_CLOSED,    /* stop flag set, fuzz_in closed */
	STOP_INTERRUPT, /* SIGINT sent */
	STOP_KILL,      /* SIGKILL sent */
	STOP_STEP_COUNT
};

struct snapshot_worker {
	uint32_t id;
	int64_t pid;   /* fork server, 0: none */
	int64_t child; /* process that runs the inputs, 0: none */
	enum worker_view_state state;
	double state_s; /* seconds in this state; < 0: unknown */
	bool paused;    /* individually, by its own key */
	bool retiring;  /* ends for good: fewer workers are wanted */
	enum stop_step stop_step;
	double next_step_s; /* seconds until the next stop step, < 0: none */
	char entry[17];     /* corpus entry being mutated, "" = none */
	uint32_t generation;
	uint64_t entry_len;
	uint64_t execs, finds, restarts; /* finds: new inputs */
	uint64_t deaths;                 /* of children */
	double execs_per_sec;
	char restart_why[64]; /* the last one */
	bool restart_asked;   /* by the user, not after a failure */
	uint64_t rss_kb;      /* RssAnon of the child */
	double cpu;           /* cores in use; over 1: by threads */
	uint64_t fork_us;     /* duration of the last fork */
	int64_t threads;      /* > 1: fork is impossible */
	bool no_fork;
	uint64_t input_len; /* sampled: length of the current input … */
	uint8_t input[SNAPSHOT_INPUT]; /* … and its first bytes */
	uint32_t input_n;
};

struct snapshot_finding {
	char id[24];      /* 16 hex digits: the first stack hash */
	char folder[160]; /* relative to the output directory */
	char kind[24];    /* failure_kind_name() */
	char what[64];    /* "heap-buffer-overflow", "SIGSEGV", "exit 3" */
	char where[128];  /* "read_tile tile.c:118", "target+0x1234" */
	char apart[96];   /* how it differs from similar ones, or "" */
	char text[256];   /* one line of the report */
	char state[16];   /* new confirmed flaky known accepted */
	uint64_t count;   /* times seen */
	double first_s, last_s;       /* elapsed time of the first and last */
	uint64_t len, minimized_len;  /* bytes; minimized 0: not yet */
	uint32_t replays, reproduced; /* so many replays; so many failed */
	/* The same with the last build that failed, if another one was
	 * replayed. */
	uint32_t replays_before, reproduced_before;
	char standing[12]; /* with the current build: open, not seen, fixed */
	char build[12];    /* prefix of the last build that failed like this */
	char replays_build[12]; /* prefix of the build that was replayed */
	bool minimizing;
	bool noted;        /* the user wrote a note */
	uint32_t sequence; /* length of the input sequence; 0, 1: one input */
};

struct snapshot_minimization {
	bool coverage; /* false: a failure */
	uint32_t worker;
	char entry[24];  /* input or finding */
	char title[128]; /* "heap-buffer-overflow in read_tile" */
	uint32_t phase;  /* enum minimize_phase */
	uint64_t position, tries, accepted;
	uint64_t start_len, best_len;
	uint64_t cut_offset, cut_len; /* the part being tried */
	/*
	 * Typed targets: `best` is source text of text_len bytes, and the cut
	 * is given in the text. text_len 0: `best` is the raw input.
	 */
	uint64_t text_len, text_cut, text_cut_len;
	double elapsed_s;
	char verdict[96]; /* of the last try, in words */
	uint32_t best_n;
	uint8_t best[SNAPSHOT_HEX]; /* first bytes of the best input */
	bool by_steps;              /* the operator steps through the tries */
	bool held;       /* waits for the operator before the next try */
	bool queued;     /* waits for a worker, no try yet */
	double pace;     /* by steps, not held: tries per second; 0: no limit */
	uint64_t at;     /* try that the operator looks at; 0: the last one */
	uint64_t others; /* tries with another failure */
};

struct snapshot_event {
	uint64_t seq;
	double at_s;
	char kind[24];  /* find crash hang oom minimized limit worker … */
	char text[200]; /* for people, printable UTF-8 */
	char about[24]; /* name of the entry or finding, "" = none */
	double wall_s;  /* since 1970; 0: unknown */
};

struct snapshot_limit {
	char name[24];
	char value[4096]; /* a path may be long */
	char origin[12];  /* default flag key */
	bool live;
};

/* A finished minimization and its result. */
struct snapshot_minimized {
	char entry[24];  /* input or finding: its name at that time */
	char title[128]; /* as in struct snapshot_minimization */
	uint64_t start_len, len, tries;
	double at_s;
};

/* A mutator and its statistics. */
struct snapshot_mutator {
	char name[32];
	uint64_t steps, finds; /* mutations; new inputs they contributed to */
	double share;          /* of all mutations by weight, 0 … 1 */
};

/*
 * A point of the history of earlier runs: coverage at this campaign time, and
 * new inputs and findings since the point before.
 */
struct snapshot_past {
	double at_s;
	uint64_t bits, finds, findings;
};

#endif
