/*
 * triage_verify: replays the input of a finding in fresh children.
 *
 * If the engine's own copy of the input differs from the bytes in worker
 * memory, both are tried. If neither fails, the inputs that ran before are
 * tried as well: triage_sequence.c.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/xmalloc.h"
#include "engine/engine_end.h"
#include "engine/log/messages.h"
#include "engine/parts.h"
#include "engine/pool/grow_memory.h"
#include "engine/program.h"
#include "engine/triage/triage.h"
#include "engine/triage/triage_needs.h"
#include "engine/triage/triage_sequence.h"
#include "findings/finding.h"
#include "store/store.h"
#include "store/store_finding.h"
#include "worker/inputs/mutation_log.h"
#include "worker/target/elf.h"
#include "worker/worker.h"

/* Earlier replays are void: they are old or of another build. */
static void
verify_again(const struct engine *e, struct finding *f, uint32_t replays)
{
	triage_keep_before(e, f);
	f->replays_wanted = replays;
	f->replays = f->reproduced = 0;
	f->replays_build[0] = '\0';
	/* A new finding is verified when its names are known. */
	if (f->state != FINDING_NEW)
		finding_move(f, FINDING_VERIFYING);
}

static enum status
verify_sequence_again(struct engine *e, struct finding *f, uint32_t replays,
	struct error *err)
{
	enum status status = triage_load_sequence(e, f, err);

	if (status != OK)
		return status;
	triage_keep_before(e, f);
	f->replays_wanted = replays;
	finding_move(f, FINDING_SEQUENCE);
	return OK;
}

enum status
triage_replay(struct engine *e, struct finding *f, uint32_t replays,
	struct error *err)
{
	const char *unseen = triage_unseen(e, f);

	if (unseen != NULL)
		return error_set(err, E_STATE, "%s", unseen);
	f->untold = NULL; /* of replays that were broken off */
	f->newer_is = NEWER_UNKNOWN;
	if (f->sequence_n > 1)
		return verify_sequence_again(e, f, replays, err);
	if (!triage_can_run(e, f))
		return error_set(err, E_STATE,
			"the input of the finding is longer than max-len, "
			"cannot be read, or is not of the target's types");
	verify_again(e, f, replays);
	return OK;
}

static bool
verify_is_input(const struct finding *f, const uint8_t *data, size_t len)
{
	return f->input != NULL && len == f->len &&
		memcmp(data, f->input, len) == 0;
}

/* If the input of the finding does not fail, these bytes are replayed. Those of
 * an earlier run may be longer than this run's max-len. */
static void
verify_set_other(const struct engine *e, struct finding *f, const uint8_t *data,
	size_t len)
{
	free(f->other);
	f->other = NULL;
	f->swapped = false;
	if (len > grow_memory_max_len(e) || verify_is_input(f, data, len))
		return;
	f->other = xmemdup(data, len);
	f->other_len = len;
	f->other_seen = true;
}

/* Is the input being replayed, and no other one after it? */
static bool
verify_has_room(const struct finding *f)
{
	return f->state == FINDING_VERIFYING && f->other == NULL && !f->swapped;
}

static void
verify_with_other(struct engine *e, struct finding *f, const uint8_t *data,
	size_t len)
{
	uint32_t replays = triage_replays(e, &f->failure);

	if (replays == 0)
		return;
	if (triage_replay(e, f, replays, NULL) != OK)
		log_debug("%s: no replay", f->folder);
	else if (f->sequence_n < 2)
		verify_set_other(e, f, data, len);
}

void
triage_try_other(struct engine *e, struct finding *f, const uint8_t *data,
	size_t len)
{
	if (triage_is_unproven(f) && !verify_is_input(f, data, len) &&
		len <= grow_memory_max_len(e) && !engine_stopping(e) &&
		!engine_draining(e))
		verify_with_other(e, f, data, len);
}

/* The finding failed on these bytes. If that is news for this build, its input
 * is replayed, and if that does not fail, these bytes are. */
void
triage_note_build(struct engine *e, struct finding *f, const uint8_t *data,
	size_t len)
{
	if (triage_is_this_build(e, f->build) &&
		(f->replays_build[0] == '\0' ||
			triage_is_this_build(e, f->replays_build)))
		return;
	triage_set_build(e, f);
	triage_note_back(e, f);
	if (f->sequence_n < 2 && verify_has_room(f))
		verify_set_other(e, f, data, len);
	else if (finding_state_info(f->state)->is_idle)
		verify_with_other(e, f, data, len);
}

static void
verify_swap_witnesses(struct engine *e, struct finding *f)
{
	uint8_t *data = f->input;
	size_t len = f->len;

	f->input = f->other;
	f->len = f->other_len;
	f->other = data;
	f->other_len = len;
	finding_measure(f, program_types(e));
	f->swapped = !f->swapped;
}

/* The former input is not tried again; the mutations on record led to it. */
static void
verify_keep_swapped(struct engine *e, struct finding *f)
{
	store_replace_input(engine_store(e), f->folder, !f->other_seen,
		f->other, f->other_len, f->input, f->len);
	triage_drop_larger(e, f);
	free(f->other);
	f->other = NULL;
	f->swapped = false;
	if (f->log == NULL)
		return;
	f->log->n = 0;
	f->log->whole = false;
}

/* Tries the other copy if the first one never failed. */
static bool
verify_try_other(struct engine *e, struct finding *f)
{
	if (f->swapped && f->reproduced > 0)
		verify_keep_swapped(e, f);
	else if (f->swapped)
		verify_swap_witnesses(e, f);
	else if (f->reproduced == 0 && f->other != NULL) {
		verify_swap_witnesses(e, f);
		f->replays = 0;
		return true;
	}
	return false;
}

static void
verify_tell(struct engine *e, const struct finding *f)
{
	bool fixed = !triage_is_this_build(e, f->build);

	message_event(e, "verified",
		json_pack("{s:s, s:i, s:i, s:s}", "finding", f->id,
			"reproduced", (int)f->reproduced, "replays",
			(int)f->replays, "build", program_info(e)->build),
		"%s %u of %u%s   %s", fixed ? "fixed:" : "reproduced",
		f->reproduced, f->replays, fixed ? " with this build" : "",
		f->folder);
}

/* After the last replay: one copy more, the inputs before, or the verdict. */
static enum finding_state
verify_end(struct engine *e, struct finding *f)
{
	if (verify_try_other(e, f))
		return FINDING_VERIFYING;
	if (triage_leave_replays(e, f, f->replays, f->reproduced))
		return FINDING_DONE;
	if (f->reproduced == 0 && triage_begin_sequence(e, f))
		return FINDING_SEQUENCE;
	triage_drop_sequence(f);
	/* The run before may have found one, or have tried. */
	if (f->reproduced > 0) {
		triage_remove_sequence(e, f);
		f->tried[0] = '\0';
	}
	triage_drop_before(e, f);
	triage_note_replays(e, f);
	verify_tell(e, f);
	return triage_after_verification(e, f);
}

enum finding_state
triage_judge_replay(struct engine *e, struct finding *f,
	const struct worker_result *r)
{
	f->replays++;
	triage_note_replay(e, f, r, true);
	if (triage_fails_again(e, f, r)) {
		f->reproduced++;
		triage_seen_again(e, f);
	}
	return f->replays == f->replays_wanted ? verify_end(e, f)
					       : FINDING_VERIFYING;
}
