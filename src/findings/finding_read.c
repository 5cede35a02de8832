/*
 * finding_read: reads findings in crash.json and suspects in stats.json as
 * earlier runs wrote them. The files are not trusted.
 */
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/text.h"
#include "control/json_text.h"
#include "findings/finding.h"
#include "findings/names.h"
#include "shared/wire/memory_call.h"

uint32_t
finding_read_number(const json_t *info, const char *name)
{
	json_int_t n = json_integer_value(json_object_get(info, name));

	return n < 0 || n > UINT32_MAX ? 0 : (uint32_t)n;
}

/* A missing member leaves buf as it is. */
static void
finding_read_text(const json_t *info, const char *name, char *buf, size_t size)
{
	const char *text = json_text_get(info, name);

	if (text != NULL)
		text_clean_string(text, buf, size);
}

static void
finding_read_stamps(struct finding *f, const json_t *info)
{
	finding_read_text(info, "first_at", f->first_at, sizeof(f->first_at));
	finding_read_text(info, "last_at", f->last_at, sizeof(f->last_at));
	finding_read_text(info, "note", f->note, sizeof(f->note));
	finding_read_text(info, "tried", f->tried, sizeof(f->tried));
	finding_read_text(info, "build_id", f->build, sizeof(f->build));
	finding_read_text(info, "sanitizer", f->sanitizer,
		sizeof(f->sanitizer));
	/* Older files have no replays_build: then the last build ran the
	 * replays. */
	memcpy(f->replays_build, f->build, sizeof(f->replays_build));
	finding_read_text(info, "replays_build", f->replays_build,
		sizeof(f->replays_build));
}

/* Replays that were interrupted are void; those before them are not. */
static void
finding_read_builds(struct finding *f, const json_t *info)
{
	if (json_object_get(info, "replays_build") == NULL &&
		json_object_get(info, "left") != NULL) {
		f->replays = f->replays_before;
		f->reproduced = f->reproduced_before;
		f->replays_before = f->reproduced_before = 0;
	}
	f->fixed = f->replays > 0 && f->reproduced == 0 &&
		f->build[0] != '\0' && strcmp(f->build, f->replays_build) != 0;
}

struct finding *
finding_read(const json_t *info)
{
	const char *id, *kind, *what, *where = "", *text = "", *state = "";
	struct failure failure = { 0 };
	struct finding *f;
	json_int_t count = 0;
	double first = 0, last = 0;

	if (json_unpack((json_t *)info,
		    "{s:s, s:s, s:s, s?s, s?s, s?s, s?I, s?F, s?F}", "id", &id,
		    "kind", &kind, "what", &what, "where", &where, "text",
		    &text, "state", &state, "count", &count, "first_s", &first,
		    "last_s", &last) != 0)
		return NULL;
	failure.kind = failure_kind_parse(kind);
	if (failure.kind == FAILURE_NONE)
		return NULL;
	failure.signo = (int)finding_read_number(info, "signal");
	failure.exit_status = (int)finding_read_number(info, "exit_status");
	text_clean_string(what, failure.what, sizeof(failure.what));
	text_clean_string(text, failure.text, sizeof(failure.text));
	f = finding_create(&failure, strtoull(id, NULL, 16));
	f->names = names_parse(&f->failure, json_object_get(info, "frames"));
	text_clean_string(where, f->where, sizeof(f->where));
	f->verdict = finding_verdict_parse(state);
	f->count = count > 0 ? (uint64_t)count : 0;
	f->first_s = first > 0 ? first : 0;
	f->last_s = last > 0 ? last : 0;
	f->replays = finding_read_number(info, "replays");
	f->reproduced = finding_read_number(info, "reproduced");
	f->replays_before = finding_read_number(info, "replays_before");
	f->reproduced_before = finding_read_number(info, "reproduced_before");
	f->sequence_n = finding_read_number(info, "sequence");
	/* Each of its files may have to be removed. */
	if (f->sequence_n > MEMORY_SEQUENCE_MAX)
		f->sequence_n = MEMORY_SEQUENCE_MAX;
	f->is_new = json_is_true(json_object_get(info, "untold"));
	f->limits = json_incref(json_object_get(info, "limits"));
	finding_read_stamps(f, info);
	finding_read_builds(f, info);
	return f;
}

struct finding *
finding_read_suspect(const json_t *info, char input[FINDING_INPUT_SIZE])
{
	struct failure failure = { 0 };
	const char *name, *kind, *what;
	int signo;

	if (json_unpack((json_t *)info, "{s:s, s:s, s:s, s:i}", "input", &name,
		    "kind", &kind, "what", &what, "signal", &signo) != 0 ||
		strlen(name) != FINDING_INPUT_SIZE - 1 ||
		strspn(name, "0123456789abcdef") != FINDING_INPUT_SIZE - 1)
		return NULL;
	failure.kind = failure_kind_parse(kind);
	if (failure.kind != FAILURE_HANG && failure.kind != FAILURE_STOPPED &&
		!failure_is_suspect(failure.kind))
		return NULL;
	memcpy(input, name, FINDING_INPUT_SIZE);
	failure.signo = signo;
	text_clean_string(what, failure.what, sizeof(failure.what));
	text_clean_string(what, failure.text, sizeof(failure.text));
	return finding_create(&failure, failure_stack_hash(&failure));
}
