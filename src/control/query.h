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
#include <stdint.h>

#include <jansson.h>

#include "control/reply_activity.h"
#include "control/reply_coverage.h"
#include "shared/status.h"

#define QUERY_ROWS_MAX 512u    /* of a list, per reply */
#define QUERY_BYTES_MAX 65536u /* of an input, per reply */

enum query_kind {
	QUERY_COVERAGE,     /* the coverage map: edges and hit counts */
	QUERY_MODULES,      /* the modules that own the edges */
	QUERY_PCS,          /* address of each edge in its module */
	QUERY_CORPUS,       /* rows of the list of entries */
	QUERY_ENTRY,        /* one entry or finding: bytes and lineage */
	QUERY_MUTATION_LOG, /* the mutations of an entry, from its seed on */
	QUERY_WORKER,       /* one worker: history, stderr, live input */
	QUERY_JOURNAL,      /* rows of the list of events */
	QUERY_MINIMIZATION, /* one minimization: tries, sizes, bytes */
	QUERY_FINDING,      /* one finding: stack, report, note, command */
	QUERY_KIND_COUNT
};

/* A query; each reply struct lists the members that its kind uses. */
struct query {
	enum query_kind kind;
	char name[24];   /* of an entry (16 hex digits) or of a finding */
	uint32_t worker; /* WORKER */
	uint32_t module; /* PCS: index in the reply to QUERY_MODULES */
	uint64_t first;  /* first row, byte or edge, from 0 */
	uint32_t count;  /* rows, bytes or edges; the kind has a limit, too */
	/* The state already known, 0: none. COVERAGE: the revision; JOURNAL
	 * without filter and kinds: the number of the newest event. */
	uint64_t since;
	char sort[16];   /* CORPUS: member of a row to sort by; "": the index */
	bool falling;    /* CORPUS: descending order */
	char filter[96]; /* CORPUS, JOURNAL: words, all must match */
	char kinds[96];  /* JOURNAL: kinds of events, one must match; "": all */
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
		struct reply_mutation_log mutation_log;
		struct reply_worker worker;
		struct reply_journal journal;
		struct reply_minimization minimization;
		struct reply_finding finding;
	};
};

/* "coverage" …, as in JSON. */
const char *query_kind_name(enum query_kind kind);

/* Do both request the same? Ignores `since`. */
bool query_equal(const struct query *a, const struct query *b);

/* {"id": …, "kind": …, …}; a new reference. */
json_t *query_encode(const struct query *query, uint64_t id) MUST_CHECK;
/* E_FORMAT, E_RANGE: as in field_row.h, or id or kind is missing. */
enum status query_decode(struct query *query, uint64_t *id, const json_t *json,
	struct error *err) MUST_CHECK;

/* Frees all that the reply owns and empties it. */
void reply_clear(struct reply *reply);
/* A new reference; a reply with an error has only id, kind and error. */
json_t *reply_encode(const struct reply *reply, uint64_t id) MUST_CHECK;
/* `reply` must be initialised; it is cleared first and is empty on failure.
 * Errors: as of query_decode(). */
enum status reply_decode(struct reply *reply, uint64_t *id, const json_t *json,
	struct error *err) MUST_CHECK;

#endif
