/*
 * answer_text: readable forms of a finding's bytes: the C calls of a typed
 * target, and the inputs of a sequence.
 *
 * Both are made anew for each query, so they are short; the files have all of
 * it.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"
#include "control/query.h"
#include "engine/front/answers.h"
#include "engine/parts.h"
#include "engine/pool/grow_memory.h"
#include "engine/program.h"
#include "engine/triage/triage.h"
#include "engine/triage/triage_needs.h"
#include "findings/finding.h"
#include "store/store.h"
#include "store/store_finding.h"
#include "worker/inputs/input_text.h"

#define TEXT_CALL "/call"
#define TEXT_SEQUENCE "/seq"
#define TEXT_MAX (64u << 10)
#define TEXT_INPUT_MAX 512u /* bytes shown of an input in a sequence */
#define TEXT_ROW 8u         /* bytes per row */

struct answer_text {
	char *at; /* TEXT_MAX and a zero */
	size_t len;
};

__attribute__((format(printf, 2, 3))) static void
add(struct answer_text *t, const char *fmt, ...)
{
	size_t room = TEXT_MAX - t->len;
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(t->at + t->len, room + 1, fmt, ap);
	va_end(ap);
	if (n > 0)
		t->len += (size_t)n < room ? (size_t)n : room;
}

/* All calls of a sequence: the last one need not fail alone. */
static void
text_add_calls(const struct engine *e, const struct finding *f,
	struct answer_text *t)
{
	char *call;
	uint8_t *data;
	uint32_t i;
	size_t len;

	for (i = 1; i <= f->sequence_n && t->len < TEXT_MAX; i++) {
		call = NULL;
		if (store_read_sequence(engine_store(e), f->folder, i,
			    grow_memory_max_len(e), &data, &len, NULL) == OK) {
			call = input_call(program_types(e), program_function(e),
				data, len);
			free(data);
		}
		if (call != NULL && call[0] != '\0')
			add(t, "%s\n", call);
		else
			add(t, "Input %u cannot be shown as a call.\n", i);
		free(call);
	}
}

static void
text_add_call(const struct engine *e, const struct finding *f,
	struct answer_text *t)
{
	bool small = triage_is_minimized(e, f);
	const uint8_t *data = small ? f->minimized : f->input;
	char *call = data != NULL
		? input_call(program_types(e), program_function(e), data,
			  small ? f->minimized_len : f->len)
		: NULL;

	add(t, "%s\n",
		call == NULL ? "The bytes are only on disk."
			: call[0] == '\0'
			? "The call is too long for the screen; an export "
			  "contains it."
			: call);
	free(call);
}

static void
text_add_row(struct answer_text *t, const uint8_t *data, size_t n)
{
	size_t i;

	for (i = 0; i < TEXT_ROW; i++)
		add(t, i < n ? "%02x " : "   ", i < n ? data[i] : 0);
	add(t, " ");
	for (i = 0; i < n; i++)
		add(t, "%c", data[i] >= ' ' && data[i] <= '~' ? data[i] : '.');
	add(t, "\n");
}

static void
text_add_bytes(struct answer_text *t, const uint8_t *data, size_t len)
{
	size_t n = len < TEXT_INPUT_MAX ? len : TEXT_INPUT_MAX, at;

	for (at = 0; at < n; at += TEXT_ROW)
		text_add_row(t, data + at,
			n - at < TEXT_ROW ? n - at : TEXT_ROW);
	if (n < len)
		add(t, "... and %zu more\n", len - n);
}

static void
text_add_input(const struct engine *e, struct answer_text *t,
	const uint8_t *data, size_t len)
{
	char *call =
		input_call(program_types(e), program_function(e), data, len);

	if (call[0] != '\0')
		add(t, "%s\n", call);
	else
		text_add_bytes(t, data, len);
	free(call);
}

static void
text_add_sequence(const struct engine *e, const struct finding *f,
	struct answer_text *t)
{
	struct error err = { 0 };
	uint8_t *data;
	uint32_t i;
	size_t len;

	for (i = 1; i <= f->sequence_n && t->len < TEXT_MAX; i++) {
		add(t, "%sinput %u of %u", i > 1 ? "\n" : "", i, f->sequence_n);
		if (store_read_sequence(engine_store(e), f->folder, i,
			    grow_memory_max_len(e), &data, &len, &err) != OK) {
			add(t, ": %s\n", err.text);
			continue;
		}
		add(t, ", %zu byte%s\n", len, len == 1 ? "" : "s");
		text_add_input(e, t, data, len);
		free(data);
	}
}

/* The finding, if the name ends with the suffix. */
static const struct finding *
text_find_with(struct engine *e, const char *name, const char *suffix)
{
	char id[sizeof(((struct query *)0)->name)];
	size_t len = strlen(name), n = strlen(suffix);

	if (len <= n || strcmp(name + len - n, suffix) != 0)
		return NULL;
	snprintf(id, sizeof(id), "%.*s", (int)(len - n), name);
	return triage_find(e, id);
}

bool
answer_text(struct engine *e, const struct query *query, struct reply_entry *r)
{
	const struct finding *call = text_find_with(e, query->name, TEXT_CALL);
	const struct finding *row =
		text_find_with(e, query->name, TEXT_SEQUENCE);
	struct answer_text t = { .len = 0 };

	if (call == NULL && row == NULL)
		return false;
	t.at = xcalloc(TEXT_MAX + 1, 1);
	if (call != NULL && call->sequence_n > 1)
		text_add_calls(e, call, &t);
	else if (call != NULL)
		text_add_call(e, call, &t);
	else
		text_add_sequence(e, row, &t);
	snprintf(r->name, sizeof(r->name), "%s", query->name);
	r->finding = true;
	answer_put_bytes(query, t.at, t.len, r);
	free(t.at);
	return true;
}
