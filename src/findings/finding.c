#include "findings/finding.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/xmalloc.h"
#include "corpus/corpus.h"
#include "findings/symbols_client.h"
#include "worker/inputs/input_text.h"
#include "worker/inputs/process_history.h"

static const char *const verdict_names[VERDICT_COUNT] = {
	[VERDICT_NEW] = "new",
	[VERDICT_CONFIRMED] = "confirmed",
	[VERDICT_FLAKY] = "flaky",
	[VERDICT_KNOWN] = "known",
	[VERDICT_ACCEPTED] = "accepted",
};

const char *
finding_verdict_name(enum finding_verdict verdict)
{
	return verdict < VERDICT_COUNT ? verdict_names[verdict] : "new";
}

enum finding_verdict
finding_verdict_parse(const char *name)
{
	int i;

	if (strcmp(name, FINDING_ACCEPTED_OLD) == 0)
		return VERDICT_ACCEPTED;
	for (i = 0; i < VERDICT_COUNT; i++)
		if (strcmp(name, verdict_names[i]) == 0)
			return (enum finding_verdict)i;
	return VERDICT_NEW;
}

static const char *const rule_names[] = {
	[MINIMIZE_SAME_BUCKET] = "same-bucket",
	[MINIMIZE_SAME_KIND] = "same-kind",
	[MINIMIZE_ANY_FAILURE] = "any-failure",
};

const char *
minimize_rule_name(enum minimize_rule rule)
{
	return rule_names[rule];
}

enum minimize_rule
minimize_rule_parse(const char *name)
{
	unsigned i;

	for (i = MINIMIZE_ANY_FAILURE; i > MINIMIZE_SAME_BUCKET; i--)
		if (strcmp(rule_names[i], name) == 0)
			break;
	return (enum minimize_rule)i;
}

const char *
finding_standing_name(enum finding_standing standing)
{
	static const char *const names[STANDING_COUNT] = {
		[STANDING_OPEN] = "open",
		[STANDING_NOT_SEEN] = "not seen",
		[STANDING_FIXED] = "fixed",
	};

	return standing < STANDING_COUNT ? names[standing] : "open";
}

enum finding_standing
finding_standing(const char *build, const char *replays_build,
	uint32_t reproduced, const char *now)
{
	if (build[0] == '\0' || now[0] == '\0' || strcmp(build, now) == 0)
		return STANDING_OPEN;
	return strcmp(replays_build, now) == 0 && reproduced == 0
		? STANDING_FIXED
		: STANDING_NOT_SEEN;
}

static bool
finding_is_safe(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '+';
}

/* Each run of other characters becomes one '-'; none at either end. */
static void
finding_safe_words(const char *from, char *to, size_t size)
{
	size_t n = 0;

	for (; *from != '\0' && n + 1 < size; from++) {
		if (finding_is_safe(*from))
			to[n++] = *from;
		else if (n > 0 && to[n - 1] != '-')
			to[n++] = '-';
	}
	while (n > 0 && to[n - 1] == '-')
		n--;
	to[n] = '\0';
}

/* The module and offset of the top frame, safe characters only. */
static void
finding_where(const struct failure *f, char *buf, size_t size)
{
	char module[FAILURE_MODULE_MAX];

	buf[0] = '\0';
	if (f->frames_n == 0)
		return;
	finding_safe_words(f->frames[0].module, module, sizeof(module));
	snprintf(buf, size, "%s+0x%llx", module[0] != '\0' ? module : "unknown",
		(unsigned long long)f->frames[0].offset);
}

/* `<folder>/<kind>-<where>-<8 hex>`: readable, safe characters only. */
static void
finding_name(const struct failure *f, uint64_t stack_hash, char *buf,
	size_t size)
{
	char what[FAILURE_WHAT_MAX], where[160];

	finding_safe_words(f->what, what, sizeof(what));
	if (what[0] == '\0')
		snprintf(what, sizeof(what), "%s", failure_kind_name(f->kind));
	finding_where(f, where, sizeof(where));
	snprintf(buf, size, "%s/%s%s%s-%08x", failure_class(f->kind)->folder,
		what, where[0] != '\0' ? "-" : "", where,
		(unsigned)(stack_hash ^ (stack_hash >> 32)));
}

struct finding *
finding_create(const struct failure *failure, uint64_t stack_hash)
{
	struct finding *f = xcalloc(1, sizeof(*f));

	f->parent = CORPUS_NONE;
	finding_identify(f, failure, stack_hash);
	return f;
}

void
finding_identify(struct finding *f, const struct failure *failure,
	uint64_t stack_hash)
{
	f->failure = *failure;
	f->stack_hash = stack_hash;
	snprintf(f->id, sizeof(f->id), "%016llx",
		(unsigned long long)stack_hash);
	finding_where(failure, f->where, sizeof(f->where));
	finding_name(failure, stack_hash, f->folder, sizeof(f->folder));
}

struct finding *
finding_merged(struct finding *f)
{
	while (f->merged != NULL)
		f = f->merged;
	return f;
}

void
finding_shed(struct finding *f)
{
	free(f->log);
	f->log = NULL;
	symbols_answer_destroy(f->names);
	f->names = NULL;
	free(f->newer);
	free(f->report);
	free(f->excerpt);
	free(f->key);
	f->key = NULL;
	f->newer = NULL;
	f->report = f->excerpt = NULL;
	json_decref(f->lineage);
	json_decref(f->limits);
	f->lineage = f->limits = NULL;
	process_history_destroy(f->history);
	f->history = NULL;
	free(f->input);
	free(f->other);
	free(f->minimized);
	free(f->trial);
	f->input = f->other = f->minimized = f->trial = NULL;
	f->len = f->other_len = f->minimized_len = f->trial_len = 0;
	f->file_len = f->minimized_file_len = 0;
}

void
finding_measure(struct finding *f, const struct tuple_types *types)
{
	f->file_len = input_text_len(types, f->input, f->len);
	f->minimized_file_len = f->minimized != NULL
		? input_text_len(types, f->minimized, f->minimized_len)
		: 0;
}

void
finding_destroy(struct finding *f)
{
	if (f == NULL)
		return;
	finding_shed(f);
	free(f);
}
