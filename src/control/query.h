/*
 * query: what a front end asks for that is too large for every snapshot.
 *
 * A snapshot comes ten times a second and holds what fits one screen. The
 * coverage map, a list's visible rows, one entry's bytes, its mutations, a
 * worker's history and the journal are asked for by the view that shows them,
 * as often as it wants to show them anew.
 *
 * {"query": {"id": n, "kind": "corpus", …}} is answered by
 * {"reply": {"id": n, "kind": "corpus", …}}, or, when it cannot be, by
 * {"reply": {"id": n, "kind": "corpus", "error": "…"}}. Answers are made from
 * what the engine has in memory, or later, when a worker or the disk has
 * said it; the order of answers is not that of the queries.
 *
 * The cost of an answer depends on what is asked for, never on executions.
 * Everything in a query or a reply is bounded here and cleaned when it is
 * read, as in snapshots.
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

#define QUERY_ROWS_MAX 512u        /* of a list, in one answer */
#define QUERY_MODULES_MAX 64u      /* as many as there can be */
#define QUERY_COUNTERS_MAX 131072u /* of the map, in one answer */
#define QUERY_CHANGES_MAX 4096u
#define QUERY_REACHED_MAX 64u
#define QUERY_BYTES_MAX 65536u /* of an input, in one answer */
#define QUERY_LINEAGE_MAX 256u
#define QUERY_STEPS_MAX 512u /* of a trail */
#define QUERY_STEP_BYTES 32u /* that a step shows before and after */
#define QUERY_STATES_MAX 64u /* of a worker's history */
#define QUERY_STDERR_MAX 8192u
#define QUERY_TRIES_MAX 256u  /* of a minimization */
#define QUERY_SIZES_MAX 512u  /* points of its curve */
#define QUERY_FRAMES_MAX 256u /* of a stack, inlined ones included */

enum query_kind {
	QUERY_COVERAGE,     /* the mask: which counters, and how often */
	QUERY_MODULES,      /* whose counters these are */
	QUERY_PCS,          /* where in the module each counter stands */
	QUERY_CORPUS,       /* rows of the list of entries */
	QUERY_ENTRY,        /* one entry or finding: bytes and lineage */
	QUERY_TRAIL,        /* the mutations that made it, up to its seed */
	QUERY_WORKER,       /* one worker: history, stderr, live input */
	QUERY_JOURNAL,      /* rows of the list of events */
	QUERY_MINIMIZATION, /* one minimization: tries, sizes, bytes */
	QUERY_FINDING,      /* one finding: stack, report, note, command */
	QUERY_KIND_COUNT
};

/* What is asked; a kind uses the members that its reply names. */
struct query {
	enum query_kind kind;
	char name[24];   /* of an entry (16 hex digits) or of a finding */
	uint32_t worker; /* WORKER */
	uint32_t module; /* PCS: index of QUERY_MODULES' answer */
	uint64_t first;  /* row, byte or counter */
	uint32_t count;  /* at most so many, and at most the kind's most */
	uint64_t since;  /* COVERAGE: the revision that is known, 0: none */
	char sort[16];   /* CORPUS: name of a member of a row; "": by index */
	bool falling;    /* CORPUS: the greatest first */
	char filter[96]; /* CORPUS, JOURNAL: words, all of them must be there */
	char kinds[96];  /* JOURNAL: of events, any of these words; "": all */
};

/*
 * The mask, or what has changed of it. first, count, since. `bits` of a
 * counter has a bit for each bucket of hit counts that was reached: 1, 2-3,
 * 4-7, 8-15, 16-31, 32-63, 64-127, 128 and more. A counter that changes by itself,
 * and no longer counts, keeps the bits that it had; one of progress in
 * comparisons has none.
 */
struct reply_coverage {
	uint64_t revision; /* grows with each change; never 0 */
	uint64_t counters; /* of code: numbers below that exist */
	bool whole;        /* `mask` is all that was asked for, else `changes`
			      tells what happened since `since` */
	uint64_t first;    /* of mask */
	struct field_blob mask; /* a byte for each counter */
	struct reply_change {
		uint32_t counter;
		uint32_t bits; /* new ones */
		double at_s;   /* of the campaign; in a later run, of what it
				  began with: when that input was found */
	} * changes;           /* oldest first */
	size_t changes_n;
	/* The newest functions that inputs came to since the seeds, oldest
	 * first, as soon as they have names. */
	struct reply_reached {
		char name[128]; /* or "module+0x…" */
		char file[96];  /* without folder, "" = not known */
		uint32_t line;  /* 0 = not known */
		char entry[17]; /* of the corpus, that came there first */
		double at_s;    /* of the campaign */
		uint32_t counter;
	} * reached;
	size_t reached_n;
};

/* Modules with counters, in the order of their counters. */
struct reply_modules {
	struct reply_module {
		char path[256];   /* absolute; "" = not known */
		char id[130];     /* build-id in hex, "" = none */
		uint32_t base, n; /* its counters: base … base + n - 1 */
	} * modules;
	size_t modules_n;
};

/*
 * Where counters stand: module, first, count. For each counter a 64-bit
 * number, lowest byte first: the virtual address in the file, and in the
 * highest bit whether a function begins there. 0: not known.
 */
#define REPLY_PC_ENTRY (1ull << 63)
struct reply_pcs {
	uint32_t module;
	uint64_t first;
	uint32_t n; /* of the module */
	struct field_blob pcs;
};

/* An entry of the corpus in a list. */
struct reply_row {
	uint32_t index;
	char name[17];
	char parent[17]; /* "" = a seed */
	uint32_t generation;
	uint64_t len, new_bits;
	double exec_us;    /* one execution, measured once */
	double found_at_s; /* elapsed; of earlier runs: < 0 */
	double energy;     /* part of all time that it has, 0 … 1 */
	uint32_t finds;    /* entries that were made from it */
	double executions; /* spent on it */
	bool seed, favoured, unstable, progress;
};

/*
 * Rows that match the filter, sorted. first, count, sort, falling, filter;
 * name: "", or an entry whose place among these rows is asked for.
 */
struct reply_corpus {
	uint64_t total, matching;
	uint64_t place; /* of `name`, 1: the first row; 0: it is not there */
	uint64_t first;
	struct reply_row *rows;
	size_t rows_n;
};

/*
 * name, first, count. Of a finding: "ID", "ID/min", and to be read "ID/call",
 * "ID/seq", the inputs that have to run in a row.
 */
struct reply_entry {
	char name[24];
	bool finding;
	uint64_t len;
	uint64_t first; /* of bytes */
	struct field_blob bytes;
	struct reply_row *lineage; /* itself first, its seed last; a finding's
				      begins with its parent */
	size_t lineage_n;
	bool cut; /* there are more ancestors */
};

/* name. The steps of the entry first made come first. */
struct reply_trail {
	char name[24];
	bool complete; /* back to a seed */
	char why[96];  /* it is not: what is not known */
	struct reply_step {
		char entry[24];      /* what the chain made */
		char parent[17];     /* from what; */
		char partner[17];    /* "" = no other had a part in it */
		uint32_t generation; /* of entry */
		char op[32];         /* the mutator's name */
		uint64_t offset;     /* the first byte that changed */
		uint64_t len_before, len_after;   /* of the whole input */
		uint64_t part_before, part_after; /* of what changed */
		uint32_t before_n, after_n;
		uint8_t before[QUERY_STEP_BYTES]; /* its first bytes */
		uint8_t after[QUERY_STEP_BYTES];
		bool minimized; /* no mutation: it was made smaller */
	} * steps;
	size_t steps_n;
	bool cut; /* there were more; the newest are there */
};

/* worker. */
struct reply_worker {
	uint32_t id;
	struct reply_state {
		enum worker_view_state state;
		double at_s;  /* elapsed, when it began */
		char why[64]; /* "call", "timeout", "killed by SIGKILL" … */
	} * states;           /* newest first */
	size_t states_n;
	char options[1024];  /* of sanitizers and the dynamic linker */
	uint64_t stderr_len; /* ever written since the call began */
	struct field_blob stderr_text; /* the last of it */
	uint64_t input_len;            /* sampled: what is executed now … */
	struct field_blob input;       /* … its first bytes, count of them */
};

/* Events that match. first: of the matching ones; count, filter, kinds. */
struct reply_journal {
	uint64_t total, matching; /* kept in memory: the newest 16384 */
	uint64_t dropped;         /* older ones, in journal.jsonl alone */
	uint64_t first;
	struct snapshot_event *rows; /* oldest first */
	size_t rows_n;
};

/* What came of a try. */
enum try_verdict {
	TRY_PENDING, /* not yet known */
	TRY_SAME,    /* accepted: it fails in the same way, or reaches what the
			 input shall reach */
	TRY_NOTHING, /* rejected: no failure */
	TRY_OTHER,   /* rejected: another failure, one that is known */
	TRY_FINDING, /* rejected: another failure, a finding of its own now */
	TRY_LOST,    /* rejected: some of the coverage is not reached */
	TRY_SKIPPED, /* no try: the operator left out the rest of the phase */
	TRY_UNDONE,  /* rejected by the operator, after it had been accepted */
	TRY_VERDICT_COUNT
};

/*
 * A minimization under way, as it stood when the try at the cursor was the
 * last one. name; first, count: of bytes. The newest tries come, those before
 * the cursor.
 */
struct reply_minimization {
	char name[24];   /* of a finding, or of an entry of the corpus */
	bool coverage;   /* else a failure */
	bool ended;      /* this is what came of it */
	uint64_t at;     /* the cursor: number of the last try that is shown */
	uint64_t last;   /* number of the last try there is; at == last: now */
	uint64_t oldest; /* the cursor can go back to this one */
	uint64_t accepted, others; /* of all, as in a snapshot */
	uint32_t phase;            /* enum minimize_phase */
	uint32_t skipped; /* phases left out by the operator, a bit each */
	uint64_t position, phase_len; /* how far the phase is; 0: not known */
	uint64_t start_len, best_len;
	uint64_t cut_offset, cut_len; /* of the next try, in best */
	bool replaces;                /* that try puts other bytes there */
	/* Of a typed target `best` is text, so long, and the cut is there; 0:
	 * it is the input itself. */
	uint64_t text_len, text_cut, text_cut_len;
	uint64_t first;         /* of bytes */
	struct field_blob best; /* the best input at the cursor */
	struct reply_try {
		uint64_t number; /* from 1; 0: SKIPPED */
		uint32_t phase;
		uint64_t offset, len; /* the part that was cut, or replaced */
		bool replaced;
		enum try_verdict verdict;
		char why[96]; /* "null dereference in next_chunk", "2 of 3" */
		uint64_t len_before, len_after;
	} * tries; /* oldest first */
	size_t tries_n;
	struct reply_size {
		uint64_t number; /* of a try */
		uint64_t len;    /* of the best input then */
	} * sizes;               /* oldest first */
	size_t sizes_n;
};

/* name; first, count: of the report. */
struct reply_finding {
	char name[24];
	char note[512];     /* the user's own words */
	char command[1024]; /* runs it again, ready for a shell */
	char path[512];     /* of its folder, absolute */
	char parent[17];    /* entry that it was made from, "" = not known */
	uint32_t inputs;    /* kept beside the first and the smallest */
	uint32_t sequence;  /* inputs that have to run in a row; 0, 1: itself */
	bool typed;         /* its call in C is there to be asked for */
	uint64_t signature_n; /* raw signatures that the bucket holds */
	struct reply_frame {
		uint32_t depth;     /* of the stack; the same: inlined */
		char function[128]; /* "" = not known */
		char file[256]; /* as the compiler wrote it, "" = not known */
		uint32_t line;  /* 0 = not known */
		char module[128];
		uint64_t offset;
		bool library; /* of the C library or a sanitizer */
	} * frames;           /* the innermost first */
	size_t frames_n;
	uint64_t report_len;
	uint64_t first; /* of report */
	struct field_blob report;
};

/* An answer. Empty: all zero, of any kind. */
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

/* Do both ask for the same? (`since` does not count.) */
bool query_equal(const struct query *a, const struct query *b);

/* {"id": …, "kind": …, …}; a new reference. */
json_t *query_encode(const struct query *query, uint64_t id) MUST_CHECK;
enum status query_decode(struct query *query, uint64_t *id, const json_t *json,
	struct error *err) MUST_CHECK;

/* Releases what the reply owns; it is empty then. */
void reply_clear(struct reply *reply);
json_t *reply_encode(const struct reply *reply, uint64_t id) MUST_CHECK;
/* `reply` must be initialised; it is cleared first, and empty on failure. */
enum status reply_decode(struct reply *reply, uint64_t *id, const json_t *json,
	struct error *err) MUST_CHECK;

#endif
