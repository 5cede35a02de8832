/*
 * command_names: findings and inputs that a command names by the first digits
 * of their ids, as the console and the journal print them.
 */
#include "engine/front/command_names.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "corpus/corpus.h"
#include "engine/parts.h"
#include "engine/triage/findings_list.h"
#include "engine/triage/triage.h"
#include "findings/finding.h"

/* The argument of a command that names something, and what it may name. */
static const struct named {
	int arg; /* 1: the first one; 0: none names anything */
	bool findings, inputs;
} command_named[COMMAND_COUNT] = {
	[COMMAND_MINIMIZE] = { 1, true, true },
	[COMMAND_STEP] = { 2, true, true },
	[COMMAND_REPLAY] = { 1, true, false },
	[COMMAND_ACCEPT] = { 1, true, false },
	[COMMAND_MARK] = { 1, true, false },
	[COMMAND_NOTE] = { 1, true, false },
	[COMMAND_EXPORT] = { 1, true, false },
	[COMMAND_FUZZ] = { 1, false, true },
};

/* Ids that begin with the digits. */
struct name_search {
	const char *digits;
	size_t len, found;
	const char *name; /* of the last one found */
};

static void
names_try(struct name_search *s, const char *name)
{
	if (strncmp(name, s->digits, s->len) != 0)
		return;
	s->found++;
	s->name = name;
}

static void
names_search(struct engine *e, const struct named *named, struct name_search *s)
{
	const struct corpus *corpus = engine_corpus(e);

	for (size_t i = 0; named->findings && i < findings_count(e); i++)
		names_try(s, findings_at(e, i)->id);
	for (uint32_t i = 0; named->inputs && i < corpus_len(corpus); i++)
		names_try(s, corpus_get(corpus, i)->name);
}

/* A whole name is taken as it is, even if others begin with it. */
static bool
names_is_start(struct engine *e, const char *name)
{
	size_t len = strlen(name);

	return len >= COMMAND_DIGITS_MIN &&
		strspn(name, "0123456789abcdef") == len &&
		triage_find(e, name) == NULL &&
		corpus_find_exact(engine_corpus(e), name) == NULL;
}

enum status
command_names_complete(struct engine *e, struct command *c, char *name,
	struct error *err)
{
	const struct named *named = &command_named[c->id];
	const char *what = named->findings ? "findings" : "inputs";
	struct name_search s = { 0 };

	if (named->arg == 0 || c->argc < named->arg)
		return OK;
	s.digits = c->argv[named->arg - 1];
	s.len = strlen(s.digits);
	if (!names_is_start(e, s.digits))
		return OK;
	names_search(e, named, &s);
	if (s.found > 1)
		return error_set(err, E_USAGE,
			"the ids of %zu %s%s begin with %.16s: write more digits",
			s.found, what,
			named->findings && named->inputs ? " and inputs" : "",
			s.digits);
	if (s.found == 1) {
		snprintf(name, COMMAND_NAME_SIZE, "%s", s.name);
		c->argv[named->arg - 1] = name;
	}
	return OK;
}
