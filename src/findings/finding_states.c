/* finding_states: see finding_states.h. */
#include "findings/finding_states.h"

#include <assert.h>

#include "base/log.h"
#include "findings/bucket.h"
#include "findings/finding.h"

#define TO(state) (1u << (state))
/* A finding may be merged as soon as, or as late as, its names come. */
#define MERGED TO(FINDING_MERGED)

/* clang-format off */
static const struct finding_state_info states[FINDING_STATES] = {
	/* name, waits for, public, verifying, takes limit, idle, left, next */
	[FINDING_NEW] = { "new", "its names", false, false, false, false, NULL,
		TO(FINDING_SUSPECT) | TO(FINDING_VERIFYING) | TO(FINDING_SEQUENCE) | TO(FINDING_QUEUED) | TO(FINDING_RERUN) | TO(FINDING_DONE) | MERGED },
	[FINDING_SUSPECT] = { "suspect", "a second failure", false, true, false, false, NULL,
		TO(FINDING_NEW) },
	[FINDING_VERIFYING] = { "verifying", "replays", true, true, true, false, "verify",
		TO(FINDING_SEQUENCE) | TO(FINDING_QUEUED) | TO(FINDING_DONE) | MERGED },
	[FINDING_SEQUENCE] = { "sequence", "tries of a sequence", true, true, true, false, "verify",
		TO(FINDING_QUEUED) | TO(FINDING_DONE) | MERGED },
	[FINDING_QUEUED] = { "queued", "a worker", true, false, true, false, "minimize",
		TO(FINDING_MINIMIZING) | TO(FINDING_FINAL) | TO(FINDING_DONE) | MERGED },
	[FINDING_MINIMIZING] = { "minimizing", "the worker", true, false, true, false, "minimize",
		TO(FINDING_QUEUED) | TO(FINDING_FINAL) | TO(FINDING_DONE) | MERGED },
	[FINDING_FINAL] = { "final", "its last replay", true, true, false, false, NULL,
		TO(FINDING_QUEUED) | TO(FINDING_DONE) | MERGED },
	[FINDING_RERUN] = { "rerun", "its turn", true, false, false, true, NULL,
		TO(FINDING_VERIFYING) | TO(FINDING_SEQUENCE) | TO(FINDING_QUEUED) | TO(FINDING_DONE) | MERGED },
	/* Again at the user's command, or when it fails with a new build. */
	[FINDING_DONE] = { "done", "nothing", true, false, false, true, NULL,
		TO(FINDING_VERIFYING) | TO(FINDING_SEQUENCE) | TO(FINDING_QUEUED) | MERGED },
	[FINDING_MERGED] = { "merged", "nothing", false, false, false, false, NULL, 0 },
};

static const struct naming_info {
	const char *name;
	unsigned next;
} namings[NAMING_STATES] = {
	/* Names of an earlier run are known from the start. */
	[NAMING_WANTED] = { "wanted",
		TO(NAMING_ASKED) | TO(NAMING_REFUSED) | TO(NAMING_DONE) },
	[NAMING_ASKED] = { "asked", TO(NAMING_ANSWERED) },
	[NAMING_REFUSED] = { "refused", TO(NAMING_ANSWERED) },
	[NAMING_ANSWERED] = { "answered",
		TO(NAMING_SOURCE) | TO(NAMING_REPORT) | TO(NAMING_DONE) },
	/* A finding without names takes those of a newer build. */
	[NAMING_NEWER] = { "newer build",
		TO(NAMING_ANSWERED) | TO(NAMING_SOURCE) | TO(NAMING_REPORT) | TO(NAMING_DONE) },
	[NAMING_SOURCE] = { "source", TO(NAMING_REPORT) | TO(NAMING_DONE) },
	[NAMING_REPORT] = { "report", TO(NAMING_REPORT_OLD) | TO(NAMING_DONE) },
	[NAMING_REPORT_OLD] = { "old report",
		TO(NAMING_REPORT) | TO(NAMING_DONE) },
	/* The minimized input has a report of its own. */
	[NAMING_DONE] = { "done", TO(NAMING_NEWER) | TO(NAMING_REPORT) },
};

static const struct announcement_info {
	const char *name;
	unsigned next;
} announcements[ANNOUNCE_STATES] = {
	/* A deterministic run does not wait for the disk. */
	[ANNOUNCE_UNSAVED] = { "unsaved",
		TO(ANNOUNCE_SAVED) | TO(ANNOUNCE_DONE) },
	[ANNOUNCE_SAVED] = { "saved", TO(ANNOUNCE_DONE) },
	[ANNOUNCE_DONE] = { "announced", 0 },
};
/* clang-format on */

const struct finding_state_info *
finding_state_info(enum finding_state state)
{
	return &states[state];
}

bool
finding_may_move(enum finding_state from, enum finding_state to)
{
	return (states[from].next & TO(to)) != 0;
}

bool
finding_naming_may_move(enum finding_naming from, enum finding_naming to)
{
	return (namings[from].next & TO(to)) != 0;
}

bool
finding_announcement_may_move(enum finding_announcement from,
	enum finding_announcement to)
{
	return (announcements[from].next & TO(to)) != 0;
}

void
finding_move(struct finding *f, enum finding_state to)
{
	log_debug("finding %s: %s --> %s, waits for %s", f->folder,
		states[f->state].name, states[to].name, states[to].waits);
	assert(finding_may_move(f->state, to));
	f->state = to;
}

void
finding_move_naming(struct finding *f, enum finding_naming to)
{
	log_debug("finding %s: names: %s --> %s", f->folder,
		namings[f->naming].name, namings[to].name);
	assert(finding_naming_may_move(f->naming, to));
	f->naming = to;
}

void
finding_move_announcement(struct finding *f, enum finding_announcement to)
{
	log_debug("finding %s: announcement: %s --> %s", f->folder,
		announcements[f->announcement].name, announcements[to].name);
	assert(finding_announcement_may_move(f->announcement, to));
	f->announcement = to;
}

bool
finding_is_asked(const struct finding *f)
{
	return f->naming == NAMING_ASKED ||
		(f->naming > NAMING_ANSWERED && f->naming < NAMING_DONE);
}

bool
finding_is_named(const struct finding *f)
{
	return f->naming > NAMING_ANSWERED || finding_is_overflow(f);
}

bool
finding_is_overflow(const struct finding *f)
{
	return f->bucket == bucket_overflow(f->failure.kind);
}

bool
finding_counts(const struct finding *f)
{
	return f->seen == SEEN_NOW && f->verdict != VERDICT_ACCEPTED;
}

bool
finding_is_news(const struct finding *f)
{
	return finding_counts(f) && f->is_new && f->verdict != VERDICT_KNOWN;
}
