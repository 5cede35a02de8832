/*
 * reply_activity: the replies about workers, events, minimizations and
 * findings, see query.h.
 *
 * Each struct says which members of the query it uses.
 */
#ifndef CFUZZ_CONTROL_REPLY_ACTIVITY_H
#define CFUZZ_CONTROL_REPLY_ACTIVITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "control/field_row.h"
#include "control/snapshot.h"

#define QUERY_STATES_MAX 64u   /* in the history of a worker */
#define QUERY_STDERR_MAX 8192u /* bytes */
#define QUERY_TRIES_MAX 256u   /* of a minimization */
#define QUERY_SIZES_MAX 512u   /* points of the size curve */
#define QUERY_FRAMES_MAX 256u  /* of a stack, with inlined ones */

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
	uint64_t stderr_len; /* bytes of the last executions */
	struct field_blob stderr_text; /* the last lines of them, cleaned */
	uint64_t input_len;            /* sampled: the current input … */
	struct field_blob input;       /* … and its first `count` bytes */
};

/*
 * Matching events. Uses first (an index of matching events), count, filter,
 * kinds.
 */
struct reply_journal {
	uint64_t total, matching; /* of the newest 16384 events, in memory */
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
		/* Lengths of the input that it shortens: in MINIMIZE_AGAIN
		 * that is not `best`, which is smaller. */
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
	char command[1024]; /* reproduces the finding, quoted for a shell;
			     * "" = longer than this: a cut one would run
			     * something else */
	char path[512];     /* absolute path of its folder */
	char parent[17];    /* corpus entry that was mutated, "" = unknown */
	uint32_t inputs;    /* kept besides the first and the smallest */
	uint32_t sequence;  /* length of the input sequence; 0, 1: one input */
	bool typed;         /* "ID/call" is available */
	struct reply_frame {
		uint32_t depth;     /* inlined frames share one */
		char function[128]; /* "" = unknown */
		char file[256]; /* as the compiler recorded it, "" = unknown */
		uint32_t line;  /* 0 = unknown */
		char module[128];
		uint64_t offset; /* from the module's load address */
		bool library;    /* of the C library or of a sanitizer */
	} * frames;              /* the innermost first */
	size_t frames_n;
	uint64_t report_len;
	uint64_t first; /* of report */
	struct field_blob report;
};

#endif
