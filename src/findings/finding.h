/*
 * finding: one distinct bug, and what became of it so far.
 *
 * A finding is made from the first input that fails in a new way, is on disk
 * before anything else happens to it, is replayed in fresh children, then
 * minimized. Its identity is its bucket, see bucket.h; until the names of its
 * frames are known, that is its signature.
 */
#ifndef CFUZZ_FINDINGS_FINDING_H
#define CFUZZ_FINDINGS_FINDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/clock.h"
#include "shared/values/tuple.h"
#include "shared/wire/failure.h"
#include "shared/wire/rpc.h"
#include "worker/elf.h"

#define FINDING_NOTE_SIZE 512u

struct process_history;
struct sequence_work;
struct json_t;
struct symbols_answer;

enum finding_state {
	FINDING_NEW,
	FINDING_CONFIRMED, /* failed again in a fresh child */
	FINDING_FLAKY,     /* did not, or not always */
	FINDING_KNOWN,     /* of an earlier run */
	FINDING_IGNORED,   /* by the operator */
	FINDING_STATE_COUNT
};

/* How crash.json tells of frames; without the member "format" it is 1. */
#define FINDING_FORMAT 2

/* What is known of it with the program that there is now. */
enum finding_standing {
	STANDING_OPEN,     /* it fails, or nobody knows of another program */
	STANDING_NOT_SEEN, /* another one failed; this one has not so far */
	STANDING_GONE,     /* … and in no replay either */
	STANDING_COUNT
};

enum finding_work {
	WORK_NONE,
	WORK_VERIFY,   /* replays outstanding */
	WORK_SEQUENCE, /* ditto, with what ran before it */
	WORK_MINIMIZE, /* waits for a worker */
	WORK_BUSY,     /* a worker has it */
	WORK_FINAL,    /* the minimized input is run once for its report */
};

struct finding {
	char id[17]; /* hex of its first signature: unique in the campaign */
	char folder[256]; /* below the output directory */
	char where[192];  /* "read_tile tile.c:118", "target+0x1234" */
	struct failure failure;
	uint64_t signature;     /* of its first input */
	uint64_t bucket;        /* its identity, of which there is one */
	bool settled;           /* that is final */
	bool overflow;          /* it is all that had no room, see identity.c */
	struct finding *merged; /* it was another; only memory is left of it */
	enum finding_state state;
	enum finding_work work;
	bool suspect;    /* no finding yet: on probation, see suspect.c */
	bool doubted;    /* its input lies in suspects/ */
	bool homed;      /* its folder was there before it */
	bool stale;      /* crash.json tells of other files than there are */
	bool this_run;   /* seen in this run: decides the exit status */
	bool left;       /* an earlier run has left it to be verified */
	bool unfinished; /* its minimization ended before it was through */
	bool has_before; /* what ran before it is on the disk: STORE_BEFORE */
	bool on_disk;    /* acknowledged by the writer */
	bool answered;   /* the writer is done, for good or ill */
	bool unasked;    /* the names of its frames are to be asked for */
	bool naming;     /* … are asked for */
	bool held;       /* not announced yet: its names may come */
	bool late;       /* nobody waits for them any more */
	bool older; /* its frames are told as format 1 did, see identity.c */
	bool announced;
	uint32_t
		unkept; /* files on their way to the disk that it is to tell … */
	bool minimized_news, sequence_news; /* … of, when they are there */
	uint64_t count;                     /* times seen */
	uint32_t parent; /* entry of the corpus, or CORPUS_NONE */
	struct mutation_log
		*trail; /* how `input` was made from it; owned, or NULL */
	struct json_t *lineage; /* the same of an earlier run; owned, or NULL */
	double first_s, last_s;
	char first_at[CLOCK_ISO_SIZE], last_at[CLOCK_ISO_SIZE]; /* wall clock */
	char *key;           /* bucket_key() of key_bucket; owned, or NULL */
	uint64_t key_bucket; /* see view.c */
	struct symbols_answer *names; /* of the frames; owned, NULL: none */
	char *report;                 /* kept until they are known; owned */
	size_t report_len;
	bool report_new;       /* it has not been asked about yet */
	uint64_t report_until; /* so long the end waits for its names, ns */
	char *excerpt;         /* the source where it failed, in words; owned */
	uint8_t *input;        /* owned */
	size_t len;
	size_t file_len; /* see finding_measure() */
	uint8_t *other;  /* the second witness, if it differs; owned */
	size_t other_len;
	bool other_seen;    /* no witness: it failed so with this build */
	bool swapped;       /* input and other have changed places */
	uint8_t *minimized; /* owned, NULL: not yet */
	size_t minimized_len, minimized_file_len;
	enum minimize_rule minimized_rule;    /* which that shows to be kept */
	char minimized_build[TARGET_ID_SIZE]; /* that failed with it */
	uint64_t minimize_tries;
	uint8_t *trial; /* smaller, but it has to fail once more; owned */
	size_t trial_len;
	uint64_t trial_tries;
	struct minimize_task *minimization; /* under way; the engine's */
	bool whole_limit; /* a hang that needs all of the limit to be one */
	uint32_t replays_wanted, replays, reproduced;
	char build[TARGET_ID_SIZE];         /* that failed, the last one */
	char replays_build[TARGET_ID_SIZE]; /* that ran them; "": under way */
	uint32_t final_replays;             /* of the minimized input, so far */
	char note[FINDING_NOTE_SIZE];       /* the user's own words, cleaned */
	struct process_history *prelude; /* what ran before; owned, or NULL */
	struct sequence_work *sequence;  /* see triage_sequence.c */
	uint32_t sequence_n; /* inputs that have to run in a row; 0: itself */
	char tried[96];      /* replays that did not fail, in words; or "" */
	void *owner;         /* for the engine: who waits for the disk */
};

/* "new", "confirmed" …; never NULL. */
const char *finding_state_name(enum finding_state state);
enum finding_state finding_state_parse(const char *name);

/* "same-bucket" …; never NULL. From the strictest on: what shows one shows all
 * that follow. Names that are not known are the first. */
const char *minimize_rule_name(enum minimize_rule rule);
enum minimize_rule minimize_rule_parse(const char *name);

/* "open", "not seen", "gone"; never NULL. */
const char *finding_standing_name(enum finding_standing standing);
/* build: that failed; replays_build: that ran the replays; now: that there is
 * now; "": not known. */
enum finding_standing finding_standing(const char *build,
	const char *replays_build, uint32_t reproduced, const char *now);
/* Of an id, the first digits, for people. */
#define FINDING_BUILD_SIZE 9

/* "crashes", "hangs", "ooms", "leaks": where a kind of failure is kept. */
const char *finding_folder(enum failure_kind kind);

/* What crash.json says, but for files and what identity.c keeps. NULL: it makes
 * no sense. */
struct finding *finding_read(const struct json_t *info);
uint32_t finding_read_number(const struct json_t *info, const char *name);
/* An input in doubt, as stats.json tells of it, and its name in suspects/. */
#define FINDING_INPUT_SIZE 17
struct finding *finding_read_suspect(const struct json_t *info,
	char input[FINDING_INPUT_SIZE]);

struct finding *finding_create(const struct failure *failure,
	uint64_t signature);
/* Its failure, and all names that follow from it; before it is on the disk. */
void finding_identify(struct finding *finding, const struct failure *failure,
	uint64_t signature);
/* Input or minimized input are new: how long they are in their files, which is
 * what is told of them. */
void finding_measure(struct finding *f, const struct tuple_types *types);
void finding_destroy(struct finding *finding); /* NULL is fine */

/* Frees what is large, of one that was merged. */
void finding_shed(struct finding *finding);

/* The finding that it has become, perhaps by several steps. */
struct finding *finding_merged(struct finding *finding);

#endif
