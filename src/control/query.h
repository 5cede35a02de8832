/*
 * query: data that a front end requests because a snapshot cannot hold it.
 *
 * A snapshot is sent ten times a second and has the data for one screen. The
 * coverage map, the visible rows of a list, the bytes of an entry, its
 * mutations, the history of a worker and the journal are requested by the view
 * that shows them, whenever it wants to refresh.
 *
 * The query
 *   {"query": {"id": n, "kind": "corpus", …}}
 * has one of the replies
 *   {"reply": {"id": n, "kind": "corpus", …}}
 *   {"reply": {"id": n, "kind": "corpus", "error": "…"}}
 *
 * The engine answers from memory, or later, when a worker or the disk has
 * delivered the data. Replies may arrive in another order than the queries.
 *
 * The cost of an answer depends on the size of the request, not on the number
 * of executions. All members of queries and replies have limits, given here;
 * texts are cleaned when decoded, as in snapshots.
 */
#ifndef CFUZZ_CONTROL_QUERY_H
#define CFUZZ_CONTROL_QUERY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "control/fields.h"
#include "control/snapshot.h"
#include "shared/status.h"

#define QUERY_ROWS_MAX 512u        /* of a list, per reply */
#define QUERY_MODULES_MAX 64u      /* all that can exist */
#define QUERY_COUNTERS_MAX 131072u /* of the map, per reply */
#define QUERY_CHANGES_MAX 4096u
#define QUERY_REACHED_MAX 64u
#define QUERY_BYTES_MAX 65536u /* of an input, per reply */
#define QUERY_LINEAGE_MAX 256u
#define QUERY_STEPS_MAX 512u /* of a mutation log */
#define QUERY_STEP_BYTES 32u /* shown before and after a mutation */
#define QUERY_STATES_MAX 64u /* in the history of a worker */
#define QUERY_STDERR_MAX 8192u
#define QUERY_TRIES_MAX 256u  /* of a minimization */
#define QUERY_SIZES_MAX 512u  /* points of the size curve */
#define QUERY_FRAMES_MAX 256u /* of a stack, with inlined ones */

enum query_kind {
	QUERY_COVERAGE,     /* the coverage map: edges and hit counts */
	QUERY_MODULES,      /* the modules that own the edges */
	QUERY_PCS,          /* address of each edge in its module */
	QUERY_CORPUS,       /* rows of the list of entries */
	QUERY_ENTRY,        /* one entry or finding: bytes and lineage */
	QUERY_TRAIL,        /* the mutations of an entry, from its seed on */
	QUERY_WORKER,       /* one worker: history, stderr, live input */
	QUERY_JOURNAL,      /* rows of the list of events */
	QUERY_MINIMIZATION, /* one minimization: tries, sizes, bytes */
	QUERY_FINDING,      /* one finding: stack, report, note, command */
	QUERY_KIND_COUNT
};

/* A query; each reply struct lists the members that its kind uses. */
struct query {
	enum query_kind kind;
	char name[24];   /* entry (16 hex digits) or finding */
	uint32_t worker; /* WORKER */
	uint32_t module; /* PCS: index in the reply to QUERY_MODULES */
	uint64_t first;  /* first row, byte or edge */
	uint32_t count;  /* limit, besides the limit of the kind */
	uint64_t since;  /* COVERAGE: the revision already known, 0: none */
	char sort[16];   /* CORPUS: member of a row to sort by; "": the index */
	bool falling;    /* CORPUS: descending order */
	char filter[96]; /* CORPUS, JOURNAL: words, all must match */
	char kinds[96];  /* JOURNAL: kinds of events, one must match; "": all */
};

/*
 * The coverage map, or its changes. Uses first, count, since. If the engine
 * still has all changes after `since`, the reply is `changes`, else `mask` for
 * the requested range. `bits` of an edge has one bit per bucket of hit counts:
 * 1, 2-3, 4-7, 8-15, 16-31, 32-63, 64-127, 128 and more. An unstable edge no
 * longer counts as coverage and keeps its bits. A value profile counter has no
 * bits.
 */
struct reply_coverage {
	uint64_t revision;      /* grows with each change; never 0 */
	uint64_t counters;      /* number of code edges */
	bool whole;             /* `mask` is given, else `changes` */
	uint64_t first;         /* of mask */
	struct field_blob mask; /* a byte for each edge */
	struct reply_change {
		uint32_t counter;
		uint32_t bits; /* new ones */
		double at_s;   /* campaign time of the input */
	} * changes;           /* oldest first */
	size_t changes_n;
	/*
	 * The newest functions that inputs reached after the seeds, oldest
	 * first. A function is listed once its name is resolved.
	 */
	struct reply_reached {
		char name[128]; /* or "module+0x…" */
		char file[96];  /* without folder, "" = unknown */
		uint32_t line;  /* 0 = unknown */
		char entry[17]; /* corpus entry that reached it first */
		double at_s;    /* of the campaign */
		uint32_t counter;
	} * reached;
	size_t reached_n;
};

/* Modules with edges, in the order of their edges. */
struct reply_modules {
	struct reply_module {
		char path[256];   /* absolute; "" = unknown */
		char id[130];     /* build-id in hex, "" = none */
		uint32_t base, n; /* edges base … base + n - 1 */
	} * modules;
	size_t modules_n;
};

/*
 * The PC table of a module. Uses module, first, count. For each edge a 64-bit
 * little-endian number: the virtual address in the file; the highest bit marks
 * a function entry. 0: unknown.
 */
#define REPLY_PC_ENTRY (1ull << 63)
struct reply_pcs {
	uint32_t module;
	uint64_t first;
	uint32_t n; /* of the module */
	struct field_blob pcs;
};

/* A corpus entry in a list. */
struct reply_row {
	uint32_t index;
	char name[17];
	char parent[17]; /* "" = a seed */
	uint32_t generation;
	uint64_t len, new_bits;
	double exec_us;    /* of one execution, measured once */
	double found_at_s; /* elapsed time; of earlier runs: < 0 */
	double energy;     /* its share of the fuzzing time, 0 … 1 */
	uint32_t finds;    /* new inputs derived from it */
	double executions; /* spent on it */
	bool seed, favoured, unstable, progress;
};

/*
 * Rows that match the filter, sorted. Uses first, count, sort, falling, filter,
 * and name: an entry to locate among these rows, or "".
 */
struct reply_corpus {
	uint64_t total, matching;
	uint64_t place; /* rank of `name`, 1: first row; 0: not listed */
	uint64_t first;
	struct reply_row *rows;
	size_t rows_n;
};

/*
 * Bytes and lineage. Uses name, first, count. The lineage starts with the entry
 * itself; that of a finding starts with its parent. The name of a finding is
 * "ID" or "ID/min"; text for the user is in "ID/call" (the call in C) and
 * "ID/seq" (the input sequence).
 */
struct reply_entry {
	char name[24];
	bool finding;
	uint64_t len;
	uint64_t first; /* of bytes */
	struct field_blob bytes;
	struct reply_row *lineage; /* back to the seed */
	size_t lineage_n;
	bool cut; /* further ancestors are left out */
};

/* The mutations that led to an entry, the earliest first. Uses name. */
struct reply_trail {
	char name[24];
	bool complete; /* back to a seed */
	char why[96];  /* not complete: the missing part */
	struct reply_step {
		char entry[24];      /* result of the mutation */
		char parent[17];     /* entry that was mutated */
		char partner[17];    /* second parent, "" = none */
		uint32_t generation; /* of entry */
		char op[32];         /* the mutator's name */
		uint64_t offset;     /* the first byte that changed */
		uint64_t len_before, len_after;   /* of the whole input */
		uint64_t part_before, part_after; /* of what changed */
		uint32_t before_n, after_n;
		uint8_t before[QUERY_STEP_BYTES]; /* its first bytes */
		uint8_t after[QUERY_STEP_BYTES];
		bool minimized; /* minimized, not mutated */
	} * steps;
	size_t steps_n;
	bool cut; /* only the newest fit; older ones are left out */
};

/* A worker. Uses worker. */
struct reply_worker {
	uint32_t id;
	struct reply_state {
		enum worker_view_state state;
		double at_s;  /* elapsed time at its start */
		char why[64]; /* "call", "timeout", "killed by SIGKILL" … */
	} * states;           /* newest first */
	size_t states_n;
	char options[1024];  /* of sanitizers and of the dynamic linker */
	uint64_t stderr_len; /* total since the call began */
	struct field_blob stderr_text; /* its last bytes */
	uint64_t input_len;            /* sampled: the current input … */
	struct field_blob input;       /* … and its first `count` bytes */
};

/*
 * Matching events. Uses first (an index of matching events), count, filter,
 * kinds.
 */
struct reply_journal {
	uint64_t total, matching; /* in memory: the newest 16384 */
	uint64_t dropped;         /* older ones, only in journal.jsonl */
	uint64_t first;
	struct snapshot_event *rows; /* oldest first */
	size_t rows_n;
};

/* The result of a try. */
enum try_verdict {
	TRY_PENDING, /* not yet known */
	TRY_SAME,    /* accepted: same failure, or same coverage */
	TRY_NOTHING, /* rejected: no failure */
	TRY_OTHER,   /* rejected: another failure, already known */
	TRY_FINDING, /* rejected: another failure, saved as a finding */
	TRY_LOST,    /* rejected: some required edges are not hit */
	TRY_SKIPPED, /* no try: the operator skipped the rest of the phase */
	TRY_UNDONE,  /* the operator rejected an accepted try */
	TRY_VERDICT_COUNT
};

/*
 * A minimization as of the try at the cursor. Uses name, first and count (of
 * the bytes of `best`). `tries` has the newest tries up to the cursor.
 */
struct reply_minimization {
	char name[24];   /* of a finding or of a corpus entry */
	bool coverage;   /* else a failure */
	bool ended;      /* minimization is over, this is its result */
	uint64_t at;     /* the cursor: number of the last try shown */
	uint64_t last;   /* number of the newest try; at == last: live */
	uint64_t oldest; /* lowest number that the cursor can go back to */
	uint64_t accepted, others; /* totals, as in a snapshot */
	uint32_t phase;            /* enum minimize_phase */
	uint32_t skipped; /* phases that the operator skipped, one bit each */
	uint64_t position, phase_len; /* progress of the phase; 0: unknown */
	uint64_t start_len, best_len;
	uint64_t cut_offset, cut_len; /* of the next try, in `best` */
	bool replaces;                /* that try replaces bytes */
	/*
	 * Typed targets: `best` is source text of text_len bytes, and the cut
	 * is given in the text. text_len 0: `best` is the raw input.
	 */
	uint64_t text_len, text_cut, text_cut_len;
	uint64_t first;         /* of bytes */
	struct field_blob best; /* the best input at the cursor */
	struct reply_try {
		uint64_t number; /* from 1; 0: SKIPPED */
		uint32_t phase;
		uint64_t offset, len; /* the part cut or replaced */
		bool replaced;
		enum try_verdict verdict;
		char why[96]; /* "null dereference in next_chunk", "2 of 3" */
		uint64_t len_before, len_after;
	} * tries; /* oldest first */
	size_t tries_n;
	struct reply_size {
		uint64_t number; /* of a try */
		uint64_t len;    /* of the best input after it */
	} * sizes;               /* oldest first */
	size_t sizes_n;
};

/* A finding. Uses name, first and count (of the bytes of the report). */
struct reply_finding {
	char name[24];
	char note[512];     /* the user's own words */
	char command[1024]; /* reproduces the finding, quoted for a shell */
	char path[512];     /* absolute path of its folder */
	char parent[17];    /* corpus entry that was mutated, "" = unknown */
	uint32_t inputs;    /* kept besides the first and the smallest */
	uint32_t sequence;  /* length of the input sequence; 0, 1: one input */
	bool typed;         /* "ID/call" is available */
	uint64_t signature_n; /* stack hashes in the bucket */
	struct reply_frame {
		uint32_t depth;     /* inlined frames share one */
		char function[128]; /* "" = unknown */
		char file[256]; /* as the compiler recorded it, "" = unknown */
		uint32_t line;  /* 0 = unknown */
		char module[128];
		uint64_t offset;
		bool library; /* of the C library or of a sanitizer */
	} * frames;           /* the innermost first */
	size_t frames_n;
	uint64_t report_len;
	uint64_t first; /* of report */
	struct field_blob report;
};

/* An answer. All zero is an empty reply of any kind. */
struct reply {
	enum query_kind kind;
	char error[160]; /* "" = answered */
	union {
		struct reply_coverage coverage;
		struct reply_modules modules;
		struct reply_pcs pcs;
		struct reply_corpus corpus;
		struct reply_entry entry;
		struct reply_trail trail;
		struct reply_worker worker;
		struct reply_journal journal;
		struct reply_minimization minimization;
		struct reply_finding finding;
	};
};

const char *query_kind_name(enum query_kind kind);

/* Do both request the same? Ignores `since`. */
bool query_equal(const struct query *a, const struct query *b);

/* {"id": …, "kind": …, …}; a new reference. */
json_t *query_encode(const struct query *query, uint64_t id) MUST_CHECK;
enum status query_decode(struct query *query, uint64_t *id, const json_t *json,
	struct error *err) MUST_CHECK;

/* Frees all that the reply owns and empties it. */
void reply_clear(struct reply *reply);
json_t *reply_encode(const struct reply *reply, uint64_t id) MUST_CHECK;
/* `reply` must be initialised; it is cleared first and is empty on failure. */
enum status reply_decode(struct reply *reply, uint64_t *id, const json_t *json,
	struct error *err) MUST_CHECK;

#endif
