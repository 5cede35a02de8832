/*
 * finding: one distinct bug with its state and its inputs.
 *
 * A finding is made from the first input that fails in a new way. It is written
 * to the disk first, then replayed in fresh children, then minimized. Its bucket
 * identifies it, see bucket.h; its stack hash until its frames have names.
 */
#ifndef CFUZZ_FINDINGS_FINDING_H
#define CFUZZ_FINDINGS_FINDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/clock.h"
#include "findings/finding_states.h"
#include "shared/values/tuple.h"
#include "shared/wire/failure.h"
#include "shared/wire/rpc.h"
#include "worker/target/elf.h"

#define FINDING_NOTE_SIZE 512u

struct process_history;
struct sequence_work;
struct json_t;
struct symbols_answer;

enum finding_verdict {
	VERDICT_NEW,
	VERDICT_CONFIRMED, /* failed again in a fresh child */
	VERDICT_FLAKY,     /* did not fail again, or not always */
	VERDICT_KNOWN,     /* from an earlier run */
	VERDICT_ACCEPTED,  /* by the user: no failure, but in every report */
	VERDICT_COUNT
};

/* Format of frames in crash.json; without the member "format" it is 1. */
#define FINDING_FORMAT 2

/* The verdict about a finding with the current build of the target. */
enum finding_standing {
	STANDING_OPEN,     /* fails, or no other build has been used */
	STANDING_NOT_SEEN, /* failed in another build, not in this one so far */
	STANDING_FIXED,    /* the same, and its replays did not fail */
	STANDING_COUNT
};

/* The file that the input of a suspect has in the output directory. */
enum finding_place {
	PLACE_NONE,     /* no file */
	PLACE_SUSPECTS, /* in suspects/ until the finding is saved */
	PLACE_FOLDER,   /* in the folder that the finding gets */
};

enum finding_seen {
	SEEN_BEFORE, /* in earlier runs only */
	SEEN_LEFT,   /* the same, and its replays were left to this run */
	SEEN_NOW,    /* in this run: decides the exit status */
};

/* To be announced when the writer has acknowledged its files. */
enum finding_change {
	CHANGE_NONE,
	CHANGE_MINIMIZED,
	CHANGE_SEQUENCE,
};

struct finding {
	/* Hex of its first stack hash, or of the next number that is free. */
	char id[17];
	char folder[256]; /* below the output directory */
	char where[192];  /* "read_tile tile.c:118", "target+0x1234" */
	struct failure failure;
	uint64_t stack_hash; /* stack hash of its first input */
	uint64_t bucket;     /* its identity, unique in the campaign */
	/* See finding_states.h, which also moves them. */
	enum finding_state state;
	enum finding_naming naming;
	enum finding_announcement announcement;
	struct finding *merged; /* FINDING_MERGED: into this one */
	enum finding_verdict verdict;
	enum finding_place place;
	enum finding_seen seen;
	enum finding_state later; /* a later run goes on here; NEW: nowhere */
	bool stale;      /* crash.json is to be written, by the next tick */
	bool asked;      /* the user wants work on it after the end */
	bool has_before; /* its process history is on the disk: STORE_BEFORE */
	bool fixed;   /* its last replays were of a newer build: none failed */
	bool is_new;  /* fails cfuzz ci: told by no earlier run, or back */
	bool is_back; /* failed again in this run, after a fix */
	bool unnamed; /* the run that found it had no time for names */
	bool older;   /* its frames have format 1, see engine/triage/dedup.c */
	uint32_t pending_writes; /* 0: all changes are announced */
	enum finding_change change;
	uint64_t count;  /* times seen */
	uint32_t parent; /* corpus entry, or CORPUS_NONE */
	char origin[48]; /* "found by a replay of 0861f3"; or "" */
	/* How `input` was mutated from its parent; owned, or NULL. */
	struct mutation_log *log;
	/* Of crash.json or finding_limits_json(); owned, or NULL. */
	struct json_t *lineage, *limits;
	double first_s, last_s; /* campaign time when it was seen */
	char first_at[CLOCK_ISO_SIZE], last_at[CLOCK_ISO_SIZE]; /* wall clock */
	char *key;           /* bucket_key() of key_bucket; owned, or NULL */
	uint64_t key_bucket; /* bucket that `key` belongs to */
	struct symbols_answer *names; /* of the frames; owned, NULL: none */
	/* A replay's, with another build, until it has names; owned, or NULL. */
	struct failure *newer;
	enum finding_newer newer_is;
	char *report; /* sanitizer report, until its names are known; owned */
	size_t report_len;
	uint64_t names_until; /* end of the wait for names, clock_now_ns() */
	char *excerpt;        /* source around the failure, as text; owned */
	uint8_t *input;       /* owned */
	size_t len;
	size_t file_len; /* see finding_measure() */
	/* The input as rebuilt from its mutation stack, if it differs, or a
	 * later input with this failure (other_seen); owned, or NULL. */
	uint8_t *other;
	size_t other_len;
	bool other_seen;    /* `other` has failed with this build */
	bool swapped;       /* input and other are exchanged */
	uint8_t *minimized; /* owned, NULL: not yet */
	size_t minimized_len, minimized_file_len;
	enum minimize_rule minimized_rule;    /* by which it was minimized */
	char minimized_build[TARGET_ID_SIZE]; /* that failed with it */
	uint64_t minimize_tries, trial_tries;
	uint8_t *trial; /* smaller input that has yet to fail again; owned */
	size_t trial_len;
	struct minimize_task *minimization; /* under way; owned by the engine */
	bool whole_limit; /* a hang that needs the whole time limit */
	/* Replays to make, made so far, and those of them that failed. */
	uint32_t replays_wanted, replays, reproduced;
	char build[TARGET_ID_SIZE];         /* last build that failed */
	char sanitizer[32];                 /* of that build; "": none */
	char replays_build[TARGET_ID_SIZE]; /* ran the replays; "": under way */
	/* The last replays with another build that failed; 0 of 0: unknown. */
	uint32_t replays_before, reproduced_before;
	/* The replays of a fixed finding that those under way are to replace. */
	char fixed_build[TARGET_ID_SIZE];
	uint32_t fixed_replays;
	uint32_t final_replays; /* replays of the minimized input so far */
	char note[FINDING_NOTE_SIZE];    /* note by the user, cleaned */
	struct process_history *history; /* what ran before; owned, or NULL */
	struct sequence_work *sequence;  /* see triage_sequence.c */
	uint32_t sequence_n; /* its inputs; 0: the input alone fails */
	uint64_t alone_ns;   /* of a suspected hang: how long its replay took */
	char tried[96];      /* replays that did not fail, as text; or "" */
	const char *untold;  /* why it tells nothing if none fails; static */
	void *owner;         /* the engine, for callbacks */
};

/* The name of VERDICT_ACCEPTED in files of version 0.1.0. */
#define FINDING_ACCEPTED_OLD "ignored"

/* "new", "confirmed" …; never NULL. */
const char *finding_verdict_name(enum finding_verdict verdict);
enum finding_verdict finding_verdict_parse(const char *name);

/* "same-bucket" …; never NULL. Strictest first: an input that satisfies one
 * rule satisfies all later ones. Unknown names give the first rule. */
const char *minimize_rule_name(enum minimize_rule rule);
enum minimize_rule minimize_rule_parse(const char *name);

/* "open", "not seen", "fixed"; never NULL. */
const char *finding_standing_name(enum finding_standing standing);
/* build: last one that failed; replays_build: the one that ran the replays;
 * now: the current one; "" means unknown. */
enum finding_standing finding_standing(const char *build,
	const char *replays_build, uint32_t reproduced, const char *now);
#define FINDING_BUILD_SIZE 9 /* of a build id's first digits, for display */

/* Makes a finding of crash.json, without files and the members that dedup.c
 * keeps. The caller destroys it. NULL: the JSON is invalid. */
struct finding *finding_read(const struct json_t *info);
/* Returns a number of crash.json; 0: none, or it does not fit into 32 bits. */
uint32_t finding_read_number(const struct json_t *info, const char *name);
/* The same for a suspect of stats.json; input: its file's name in suspects/. */
#define FINDING_INPUT_SIZE 17
struct finding *finding_read_suspect(const struct json_t *info,
	char input[FINDING_INPUT_SIZE]);

struct finding *finding_create(const struct failure *failure,
	uint64_t stack_hash);
/* Sets failure, stack hash, id, where and folder. Only before it is on disk. */
void finding_identify(struct finding *finding, const struct failure *failure,
	uint64_t stack_hash);
/* Updates the file lengths, which are the lengths shown to users. Call it when
 * the input or the minimized input has changed. */
void finding_measure(struct finding *f, const struct tuple_types *types);
void finding_destroy(struct finding *finding); /* NULL is fine */

/* Frees the large members of a merged finding. */
void finding_shed(struct finding *finding);

/* The finding that this one was merged into, perhaps in several steps. */
struct finding *finding_merged(struct finding *finding);

#endif
