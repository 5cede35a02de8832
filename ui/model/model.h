/*
 * model: what the views see.
 *
 * The newest snapshot, what the console remembers of earlier ones, and the
 * console's own state (dialogs, prompt, messages). Views get it const and
 * draw it; the console alone changes it. All memory is bounded: a campaign
 * of a week costs what one of a minute does.
 */
#ifndef CFUZZ_UI_MODEL_MODEL_H
#define CFUZZ_UI_MODEL_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "control/snapshot.h"
#include "ui/model/field.h"
#include "ui/model/filter.h"
#include "ui/model/history.h"
#include "ui/model/playback.h"
#include "ui/term/hot_spot.h"
#include "ui/term/keys.h"

#define MODEL_TEXT 256
#define MODEL_ANNOUNCE_S 10.0
#define MODEL_STALE_S 2.0
#define MODEL_CHOICES 4

/* What the header calls out for MODEL_ANNOUNCE_S seconds. */
enum announce_kind {
	ANNOUNCE_NONE,
	ANNOUNCE_WORKER,  /* one died */
	ANNOUNCE_PLATEAU, /* no find for long */
	ANNOUNCE_FINDING, /* a new bug; the greatest wins */
};

struct announcement {
	enum announce_kind kind;
	char text[MODEL_TEXT];
	char key[KEY_NAME_SIZE]; /* goes there */
	char finding[24];        /* that it is about, by id; "": none … */
	char before[48];         /* … and the words before it */
	double until_s;          /* of model.now_s */
};

enum model_link {
	LINK_STARTING, /* nothing heard of the engine yet */
	LINK_UP,
	LINK_ENDED, /* it said goodbye: bye, exit_status */
	LINK_LOST,  /* it went without a word */
};

/* Replays that the user wants to hear the end of. */
struct rerun {
	uint64_t command; /* its id; 0: none */
	char id[24];      /* of the finding */
	bool begun;       /* the engine has agreed, … */
	uint64_t seen;    /* … after this event */
};

/* A question above the view; choices are keys in brackets: "[s]top". */
struct question {
	bool open;
	char title[64];
	char text[MODEL_TEXT];
	size_t choices_n, selected;
	struct choice {
		char key[KEY_NAME_SIZE];
		char label[48];
		char command[MODEL_TEXT]; /* "" = nothing happens */
	} choices[MODEL_CHOICES];
};

/* The limits dialog: rows are snapshot.limits; drawn by limit_dialog_draw(). */
struct limits {
	bool open;
	size_t selected; /* row */
	bool editing;
	struct field field;       /* the new value */
	char problem[MODEL_TEXT]; /* the engine's refusal, "" = none */
	char answer[MODEL_TEXT];  /* its consent */
};

struct prompt {
	bool open;
	bool filter;               /* no command, but the filter … */
	enum key_context filtered; /* … of this view's list */
	char command[64]; /* what is typed is its last word; "" = a line */
	struct field field;
	char hint[MODEL_TEXT]; /* usage of the command, or completions */
};

/* Help in place: the selected field. */
struct explain {
	bool open;
	char label[HOT_SPOT_TEXT];
	int x, y; /* where it stood */
};

/* The guided tour; its steps are in tour.c. */
struct tour {
	bool open;
	size_t step;
	bool ready; /* what the step waits for has happened */
	bool begun; /* what brings it was done */
	bool seen;  /* what is pointed at was drawn */
};

struct model {
	const struct snapshot *snapshot; /* never NULL; seq 0: none yet */
	double now_s;                    /* the console's clock, monotonic */
	double stale_s;                  /* age of the snapshot, seconds */
	enum model_link link;
	int exit_status;         /* LINK_ENDED */
	char bye[2048];          /* what the engine said at the end, cleaned */
	char target[MODEL_TEXT]; /* from the command line */

	struct history whole;       /* since the start, ever coarser */
	struct history recent;      /* the last two minutes */
	struct shrink_list shrinks; /* courses of minimizations */

	uint32_t selected_worker; /* an id; `select N` changes it */
	struct announcement announcement;
	bool plateau;             /* now, not just announced */
	char message[MODEL_TEXT]; /* answer to the last command, "" = none */
	bool message_bad;
	double message_until_s;

	struct rerun rerun;

	struct question question;
	struct limits limits;
	struct prompt prompt;
	struct filter filters[KEYS_CONTEXT_COUNT]; /* of the views' lists */

	struct explain explain;
	struct tour tour;
	struct playback playback; /* of a recording */

	enum key_context context; /* what takes the keys now */
	enum key_context view;    /* the view below: help describes it */
	int width, height;        /* of the terminal */
	bool ascii;
	char theme[64];
};

void model_init(struct model *model);
void model_clear(struct model *model);

/*
 * Takes the snapshot (its content is moved out, it stays initialised) and
 * updates histories and announcements.
 */
void model_add_snapshot(struct model *model, struct snapshot *take,
	double now_s);

/* What came before is forgotten; the next snapshot is the first one. */
void model_forget(struct model *model);

/* Time passes: ages, announcements and messages that end. True: redraw. */
bool model_tick(struct model *model, double now_s);

void model_say(struct model *model, bool bad, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* A line goes to the engine as the command of that id; if it replays a
 * finding, it will be said what came of it. */
void model_sent(struct model *model, uint64_t command, const char *line);
/* The engine has answered it. */
void model_answered(struct model *model, uint64_t command, bool ok);

/* Is the snapshot too old to be believed? */
bool model_stale(const struct model *model);

/* Do the keys of a recording work now? */
bool model_takes_playback_keys(const struct model *model);

/* Coverage bits gained in the last seconds (at most 120). */
uint64_t model_new_bits(const struct model *model, double seconds);

/* Has a worker told that the target is not instrumented? Before the first
 * execution nobody knows. */
bool model_uninstrumented(const struct model *model);

/* The selected worker of the snapshot, else its first; NULL: none. */
const struct snapshot_worker *model_worker(const struct model *model);

#endif
