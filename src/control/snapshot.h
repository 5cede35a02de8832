/*
 * snapshot: the whole state of a campaign as a plain copy.
 *
 * The engine makes one ten times a second. The console, stats.json and scripts
 * see no other state of the engine. The JSON of a snapshot is the content of
 * stats.json. A snapshot owns its arrays and texts.
 */
#ifndef CFUZZ_CONTROL_SNAPSHOT_H
#define CFUZZ_CONTROL_SNAPSHOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "control/snapshot_parts.h"
#include "shared/status.h"

#define SNAPSHOT_VERSION 1

/* Limits of the lists; the engine leaves out the rest. */
#define SNAPSHOT_WORKERS_MAX 256u
#define SNAPSHOT_FINDINGS_MAX 200u
#define SNAPSHOT_MINIMIZATIONS_MAX 256u
#define SNAPSHOT_EVENTS_MAX 64u
#define SNAPSHOT_LIMITS_MAX 64u
#define SNAPSHOT_MUTATORS_MAX 64u
#define SNAPSHOT_MINIMIZED_MAX 16u
#define SNAPSHOT_PAST_MAX 128u /* enough points for a graph */

enum run_state {
	RUN_STARTING,
	RUN_WARMUP,
	RUN_FUZZING,
	RUN_MINIMIZING, /* a crash, with --stop-on-crash */
	RUN_PAUSED,
	RUN_STOPPING,
	RUN_ENDED,
	RUN_STATE_COUNT
};

struct snapshot {
	uint64_t seq;     /* grows by one with each snapshot */
	char target[256]; /* as given by the user */
	char output[256];
	enum run_state state;
	char ended_why[128]; /* the failure that ended the run, or "" */
	char ended_by[48];   /* a limit, or the user; "" before the end */
	int exit_status;     /* as of now */
	/* Time of the run without pauses; all pauses; worker time spent on
	 * fuzzing. */
	double elapsed_s, paused_s, fuzz_time_s;
	/*
	 * Earlier runs of the campaign: add past_s to elapsed_s and past_execs
	 * to execs; past_bits is the coverage when the last one ended. `runs`
	 * includes the current run.
	 */
	double past_s;
	uint64_t past_execs, past_bits, runs;
	double triage_time_s; /* worker time spent on findings */
	uint64_t seed;

	uint64_t execs, replays;
	uint64_t execs_retired; /* of execs: by workers that are gone */
	double execs_per_sec, execs_per_sec_avg;
	uint64_t counters_total, counters_hit; /* edges */
	uint64_t coverage_bits;                /* features hit */
	double counters_stable;   /* percent of the edges hit that are stable */
	uint64_t counters_masked; /* unstable edges, ignored as coverage */
	bool instrumented;
	bool isolated; /* with --isolate */
	char kind[16]; /* of the target: "function", "main()", "binary" */
	char sanitizer[32];
	uint64_t warmup_done, warmup_total; /* inputs */

	uint64_t corpus, favoured; /* corpus entries */
	uint64_t interesting;      /* new inputs */
	/* Inputs that wait for their turn, and for trimming. */
	uint64_t input_queue, minimize_queue;
	uint64_t progress_inputs; /* corpus entries kept for value profile */
	double last_find_s;       /* seconds ago, < 0: never */
	double plateau_gap_s;     /* longest time between new inputs so far */
	double stability;  /* percent of new inputs with stable coverage */
	uint64_t rejected; /* executions that returned -1 */
	/* Tokens of the dictionary; those of the automatic one. */
	uint64_t words, words_learned;
	uint64_t length_cap; /* current limit of new inputs, bytes */

	uint64_t crashes, hangs, ooms, leaks;                     /* findings */
	uint64_t crashes_seen, hangs_seen, ooms_seen, leaks_seen; /* failures */
	/* Among the findings: accepted by the user; seen with earlier builds
	 * only. */
	uint64_t findings_ignored, findings_not_seen;
	uint64_t findings_new; /* unknown before this run, or fixed before */
	char build[12];        /* prefix of the target's build */
	uint64_t suspects, unsaved; /* unsaved: writing failed */
	/* The signal that ended most of this run's suspects, or "". */
	char suspects_signal[16];
	double writer_behind_s; /* age of the oldest write that waits */
	bool paused;
	enum stop_step stop_step;
	double next_step_s;  /* seconds until the next stop step, < 0: none */
	char controller[32]; /* the user who controls; "": nobody */
	uint64_t watchers;   /* front ends that only watch */

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
	struct snapshot_mutator *mutators; /* in numeric order */
	size_t mutators_n;
	struct snapshot_past *past; /* of all runs until now, oldest first */
	size_t past_n;
};

/* An empty snapshot: nothing found, no pending stop step. */
void snapshot_init(struct snapshot *snapshot);
void snapshot_clear(struct snapshot *snapshot);

/* The number of distinct findings of all classes. */
uint64_t snapshot_findings(const struct snapshot *snapshot);
/* The inputs of the corpus without those of the value profile, which are not on
 * the disk and end with the run. */
uint64_t snapshot_corpus_kept(const struct snapshot *snapshot);
/* The number of findings that are not accepted and, as far as is known, fail
 * with the present build. */
uint64_t snapshot_findings_open(const struct snapshot *snapshot);

/*
 * The replays that tell how reliably the finding fails. True: they are those
 * before; none since then failed, or there was none, and the present build was
 * not replayed.
 */
bool snapshot_replays_count(const struct snapshot_finding *finding,
	uint32_t *failed, uint32_t *n);
/* "5/5", "5/5 before", "5/5 before, 0/5 with this build", "-": no replays. */
#define SNAPSHOT_REPLAYS_SIZE 80
const char *snapshot_replays(const struct snapshot_finding *finding,
	char buf[SNAPSHOT_REPLAYS_SIZE]);

/* NULL: there is none. The result is part of the snapshot. */
const struct snapshot_finding *snapshot_find_finding(
	const struct snapshot *snapshot, const char *id);
/* Can gdb run the finding? A program with a main() it runs on one input alone. */
bool snapshot_can_debug(const struct snapshot *s,
	const struct snapshot_finding *f);
const struct snapshot_worker *snapshot_find_worker(
	const struct snapshot *snapshot, uint32_t id);
const struct snapshot_limit *snapshot_find_limit(
	const struct snapshot *snapshot, const char *name);

/*
 * The JSON of stats.json; a new reference. Texts are cleaned with text_clean();
 * a number that JSON cannot hold becomes the nearest possible one.
 */
json_t *snapshot_encode(const struct snapshot *snapshot) MUST_CHECK;

/* The format sent ten times a second: lists in columns, see fields.h. */
json_t *snapshot_encode_columns(const struct snapshot *snapshot) MUST_CHECK;

/*
 * Decodes both formats. Arrays and texts are limited; unknown members are
 * ignored; missing members keep the value of an empty snapshot. `snapshot` must
 * be initialised; it is cleared first and is empty on failure. E_PROTOCOL:
 * another version; E_FORMAT, E_RANGE: see fields.h.
 */
enum status snapshot_decode(struct snapshot *snapshot, const json_t *json,
	struct error *err) MUST_CHECK;

#endif
