/*
 * finding_states: the states of a finding, as tables, and the functions that
 * move it.
 *
 * Three things go on side by side: the finding's work, the names of its frames,
 * and its announcement. Each has its states, its table of transitions, and one
 * function that moves it. A transition that is not in the table is a fault of
 * the engine. --debug logs each move.
 */
#ifndef CFUZZ_FINDINGS_FINDING_STATES_H
#define CFUZZ_FINDINGS_FINDING_STATES_H

#include <stdbool.h>

struct finding;

/* The state of the work: each comment says what the finding waits for. */
enum finding_state {
	FINDING_NEW,        /* for its names, see naming_start() */
	FINDING_SUSPECT,    /* for a second failure; not a finding yet */
	FINDING_VERIFYING,  /* for replays in fresh children */
	FINDING_SEQUENCE,   /* the same, after the inputs that ran before */
	FINDING_QUEUED,     /* for a worker that minimizes it */
	FINDING_MINIMIZING, /* for the worker's result */
	FINDING_FINAL,      /* for one more replay of the minimized input */
	FINDING_RERUN,      /* for replays with a new build of the target */
	FINDING_DONE,       /* for nothing */
	FINDING_MERGED,     /* for nothing: it is part of another finding */
	FINDING_STATES
};

/* The names of its frames, then of its source lines, then of its report. */
enum finding_naming {
	NAMING_WANTED,     /* names have yet to be requested */
	NAMING_ASKED,      /* names are requested */
	NAMING_REFUSED,    /* no names; the event loop has yet to say so */
	NAMING_ANSWERED,   /* the bucket has yet to be settled */
	NAMING_NEWER,      /* names in a newer build are requested */
	NAMING_SOURCE,     /* source lines are requested */
	NAMING_REPORT,     /* names for the report are requested */
	NAMING_REPORT_OLD, /* the same, and a newer report has come */
	NAMING_DONE,
	NAMING_STATES
};

/* Whether replays with another build fail in the finding's function. */
enum finding_newer {
	NEWER_UNKNOWN, /* none has failed, or names are requested */
	NEWER_SAME,    /* yes, or names do not tell */
	NEWER_OTHER,
};

/* A finding is announced once, when it is saved and no longer new. */
enum finding_announcement {
	ANNOUNCE_UNSAVED, /* the writer has yet to acknowledge its input */
	ANNOUNCE_SAVED,   /* acknowledged, with success or not */
	ANNOUNCE_DONE,    /* users know it */
	ANNOUNCE_STATES
};

struct finding_state_info {
	const char *name;  /* for the log */
	const char *waits; /* for what; for the log */
	bool is_public;    /* in snapshots; announced when its input is saved */
	bool is_verifying; /* a campaign does not end before this is over */
	bool takes_limit;  /* the rest of an execution limit is kept for it */
	bool is_idle;      /* nothing is under way: users may order work */
	const char *left;  /* crash.json: work for the next start, or NULL */
	unsigned next;     /* states that may follow, as bits */
};

const struct finding_state_info *finding_state_info(enum finding_state state);

/* Is this transition in the table? */
bool finding_may_move(enum finding_state from, enum finding_state to);
bool finding_naming_may_move(enum finding_naming from, enum finding_naming to);
bool finding_announcement_may_move(enum finding_announcement from,
	enum finding_announcement to);

/*
 * Move the finding. The transition must be in the table.
 *
 * finding_move() changes nothing but the state. After a result, or when names
 * have come, triage_step.c calls it and does what belongs to the move. The other
 * callers, of engine/triage/ if no folder is named, do that themselves. They move
 * a finding when
 *	it begins	suspect.c, triage.c, triage_resume.c
 *	replays begin	triage_verify.c, triage_sequence.c
 *	it is queued	front/command_minimize.c, for the user
 *	a worker begins or ends a call that minimizes it
 *			schedule/schedule_next.c, minimize_tasks.c
 *	work is given up without a result
 *			triage_list.c, triage_builds.c, triage_resume.c
 */
void finding_move(struct finding *f, enum finding_state to);
void finding_move_naming(struct finding *f, enum finding_naming to);
void finding_move_announcement(struct finding *f, enum finding_announcement to);

/* A request of the names is under way. */
bool finding_is_asked(const struct finding *f);
/* The names, if there are any, are known, so the bucket is final. */
bool finding_is_named(const struct finding *f);
/* The finding stands for all findings of its kind that had no room. */
bool finding_is_overflow(const struct finding *f);
/* The finding failed in this run and is not accepted: the exit status is 1. */
bool finding_counts(const struct finding *f);
/* The finding counts, and was not known before this run. */
bool finding_is_news(const struct finding *f);

#endif
