/*
 * model: the data that the views draw.
 *
 * The model holds the newest snapshot, histories of earlier ones, and the
 * console's own state (dialogs, prompt, messages). Views get it const and draw
 * it; only the console changes it. All memory is bounded: a campaign of a week
 * takes no more than one of a minute.
 */
#ifndef CFUZZ_UI_MODEL_MODEL_H
#define CFUZZ_UI_MODEL_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "control/snapshot.h"
#include "ui/model/filter.h"
#include "ui/model/history.h"
#include "ui/model/playback.h"
#include "ui/model/text_field.h"
#include "ui/term/hot_spot.h"
#include "ui/term/keys.h"

#define MODEL_TEXT 256
#define MODEL_ANNOUNCE_S 10.0
#define MODEL_HINT_S 60.0
#define MODEL_STALE_S 2.0
#define MODEL_CHOICES 4

/* Kinds of announcements in the header, each shown for MODEL_ANNOUNCE_S
 * seconds; a greater one replaces a smaller one. */
enum announce_kind {
	ANNOUNCE_NONE,
	ANNOUNCE_WORKER,  /* a worker died */
	ANNOUNCE_PLATEAU, /* no new input for long */
	ANNOUNCE_FINDING, /* a new finding */
};

struct announcement {
	enum announce_kind kind;
	char text[MODEL_TEXT];
	char key[KEY_NAME_SIZE]; /* opens the view that shows more */
	char finding[24];        /* id of the finding; "": not about one */
	char before[48];         /* text before the finding's description */
	double until_s;          /* in the time of model.now_s */
};

enum model_link {
	LINK_STARTING, /* no snapshot or goodbye yet */
	LINK_UP,
	LINK_ENDED, /* the engine said goodbye: bye, exit_status */
	LINK_LOST,  /* the engine ended without a goodbye */
};

/* A replay that the user asked for, until the model has shown its result. */
struct rerun {
	uint64_t command; /* id of the command; 0: none */
	char id[24];      /* id of the finding */
	bool begun;       /* the engine has accepted the command */
	uint64_t seen;    /* newest event then; the result comes later */
};

/* A question above the view; each choice has its key in brackets: "[s]top". */
struct question {
	bool open;
	char title[64];
	char text[MODEL_TEXT];
	size_t choices_n, selected;
	struct choice {
		char key[KEY_NAME_SIZE];
		char label[48];
		char command[MODEL_TEXT]; /* "": do nothing */
	} choices[MODEL_CHOICES];
};

/* The limits dialog: a row per snapshot.limits; see ui/views/limit_dialog.h. */
struct limits {
	bool open;
	size_t selected; /* a row */
	bool editing;
	struct text_field field;  /* the new value */
	char problem[MODEL_TEXT]; /* the engine's error, or "" */
	char answer[MODEL_TEXT];  /* the engine's answer on success */
};

struct prompt {
	bool open;
	bool filter;               /* edits a filter, not a command … */
	enum key_context filtered; /* … for the list of this view */
	char command[64];          /* typed text ends this command; "" = none */
	struct text_field field;
	char hint[MODEL_TEXT]; /* usage of the command, or completions */
};

/* Help in place: the explained field. */
struct explain {
	bool open;
	char label[HOT_SPOT_TEXT];
	int x, y; /* position of the field */
};

/* The guided tour; ui/console/tour.c holds its steps. */
struct tour {
	bool open;
	size_t step;
	bool ready; /* the step's event has happened */
	bool begun; /* the step's own command was run */
	bool seen;  /* the step's field was drawn */
};

struct model {
	const struct snapshot *snapshot; /* never NULL; at first seq is 0 */
	double now_s;                    /* the console's clock, monotonic */
	double stale_s;                  /* age of the snapshot */
	enum model_link link;
	bool watching;   /* the engine takes no commands from us */
	bool foreign;    /* another user's engine: open no files of it */
	int exit_status; /* LINK_ENDED */
	char bye[2048];  /* the engine's goodbye, cleaned */
	char target[MODEL_TEXT]; /* from the command line */

	struct history whole;  /* since the start, in ever longer steps */
	struct history recent; /* the last two minutes */
	struct minimization_series_list
		minimizations; /* minimizations over time */

	uint32_t selected_worker; /* an id; `select N` changes it */
	struct announcement announcement;
	bool plateau;             /* there is one now, not only announced */
	char message[MODEL_TEXT]; /* result of the last command, or "" */
	bool message_bad;
	double message_until_s;

	/* The newest hint, for MODEL_HINT_S after it came; kind "": none. */
	struct snapshot_event hint;

	struct rerun rerun;
	uint64_t notes; /* that were sent */

	struct question question;
	struct limits limits;
	struct prompt prompt;
	struct filter filters[KEYS_CONTEXT_COUNT]; /* one for each view */

	struct explain explain;
	struct tour tour;
	struct playback playback; /* position in a recording */

	enum key_context context; /* context that gets the keys now */
	enum key_context view;    /* the view behind; help describes it */
	int width, height;        /* of the terminal */
	bool ascii;
	char theme[64];
};

void model_init(struct model *model);
void model_clear(struct model *model);

/* Takes the snapshot (moves the content out and leaves it initialised) and
 * updates histories and announcements. now_s: as model.now_s. */
void model_add_snapshot(struct model *model, struct snapshot *take,
	double now_s);

/* Drops snapshot and histories; the next snapshot counts as the first. */
void model_forget(struct model *model);

/* Updates ages; ends announcements and messages. True: draw again. */
bool model_tick(struct model *model, double now_s);

/* Shows a message for eight seconds, cleaned and cut. bad: it is an error. */
void model_say(struct model *model, bool bad, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* The console has sent the line with this command id. If it replays a finding,
 * the model will show the result. */
void model_sent(struct model *model, uint64_t command, const char *line);
/* The engine has answered the command. */
void model_answered(struct model *model, uint64_t command, bool ok);

/* Is the snapshot too old to be trusted? */
bool model_stale(const struct model *model);

/* Do the playback keys work now? */
bool model_takes_playback_keys(const struct model *model);

/* Coverage bits gained in the last `seconds`; over 120 only roughly. */
uint64_t model_new_bits(const struct model *model, double seconds);

/* Why nothing can be changed from this console; NULL: it can. */
const char *model_only_shows(const struct model *model);

/* Is the target known to have no edges, be it that it has no instrumentation or
 * nothing to instrument? False before the first execution. */
bool model_uninstrumented(const struct model *model);

/* The selected worker, else the first one; NULL: no workers. */
const struct snapshot_worker *model_worker(const struct model *model);

#endif
