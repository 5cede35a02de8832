/*
 * completion: collects the candidates from the tables and the snapshot.
 */
#include "ui/console/completion.h"

#include <stdio.h>
#include <string.h>

#include "control/command.h"
#include "control/settings.h"
#include "ui/model/action.h"
#include "ui/term/theme.h"

/* The candidate ends at a space: the usage of a command begins with its name. */
static void
completion_add(struct completion *c, const char *candidate)
{
	size_t len = strlen(c->list), same = 0, n = strcspn(candidate, " ");

	if (strncmp(candidate, c->word, c->word_len) != 0)
		return;
	if (c->n++ == 0)
		snprintf(c->common, sizeof(c->common), "%.*s", (int)n,
			candidate);
	while (c->common[same] != '\0' && c->common[same] == candidate[same])
		same++;
	c->common[same] = '\0';
	if (len + n + 3 < sizeof(c->list))
		snprintf(c->list + len, sizeof(c->list) - len, "%s%.*s",
			len > 0 ? "  " : "", (int)n, candidate);
}

/* Adds a candidate once: several workers may have the same entry. */
static void
completion_add_once(struct completion *c, const char *candidate)
{
	const char *at = strstr(c->list, candidate);
	size_t len = strlen(candidate);

	if (at == NULL || (at[len] != '\0' && at[len] != ' ') ||
		(at > c->list && at[-1] != ' '))
		completion_add(c, candidate);
}

static void
completion_add_commands(struct completion *c)
{
	for (int i = 0; i < COMMAND_COUNT; i++)
		completion_add(c, command_row((enum command_id)i)->name);
	for (int i = 0; i < ACTION_COUNT; i++)
		completion_add(c, action_row((enum action_id)i)->usage);
}

static void
completion_add_workers(struct completion *c, const struct snapshot *s)
{
	char id[16];

	for (size_t i = 0; i < s->workers_n; i++) {
		snprintf(id, sizeof(id), "%u", s->workers[i].id);
		completion_add(c, id);
	}
}

static void
completion_add_findings(struct completion *c, const struct snapshot *s)
{
	for (size_t i = 0; i < s->findings_n; i++)
		completion_add(c, s->findings[i].id);
}

/* Adds the entries that workers are mutating; no others are known here. */
static void
completion_add_entries(struct completion *c, const struct snapshot *s)
{
	for (size_t i = 0; i < s->workers_n; i++)
		if (s->workers[i].entry[0] != '\0')
			completion_add_once(c, s->workers[i].entry);
}

static void
completion_add_options(struct completion *c)
{
	for (int i = 0; i < OPT_COUNT_; i++) {
		const struct option *o = settings_option((enum option_id)i);

		if (o->flags & OPTION_LIVE)
			completion_add(c, o->name);
	}
}

static void
completion_add_themes(struct completion *c)
{
	for (size_t i = 0; theme_builtin(i) != NULL; i++)
		completion_add(c, theme_builtin(i));
}

static void
completion_add_views(struct completion *c)
{
	for (int i = KEYS_DASHBOARD; i <= KEYS_HELP; i++)
		completion_add(c, key_context_name((enum key_context)i));
}

static void
completion_add_words(struct completion *c, const char *words)
{
	char copy[256], *rest = copy, *word;

	snprintf(copy, sizeof(copy), "%s", words);
	while ((word = strsep(&rest, "|")) != NULL)
		completion_add(c, word);
}

static bool
completion_takes_finding(const char *command)
{
	static const char *const names[] = { "minimize", "replay", "accept",
		"mark", "note", "export", "debug" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(command, names[i]) == 0)
			return true;
	return false;
}

static void
completion_add_minimizations(struct completion *c, const struct snapshot *s)
{
	for (size_t i = 0; i < s->minimizations_n; i++)
		completion_add_once(c, s->minimizations[i].entry);
}

static bool
completion_is_one_of(const char *word, const char *a, const char *b,
	const char *d)
{
	return strcmp(word, a) == 0 || strcmp(word, b) == 0 ||
		strcmp(word, d) == 0;
}

/* Adds possible first arguments of the command. */
static void
completion_add_arguments(struct completion *c, const struct snapshot *s,
	const char *command)
{
	if (strcmp(command, "set") == 0)
		completion_add_options(c);
	else if (strcmp(command, "theme") == 0)
		completion_add_themes(c);
	else if (strcmp(command, "view") == 0)
		completion_add_views(c);
	else if (strcmp(command, "workers") == 0)
		completion_add_words(c, "+1|-1");
	else if (strcmp(command, "mouse") == 0)
		completion_add_words(c, "on|off");
	else if (strcmp(command, "fuzz") == 0)
		completion_add_entries(c, s);
	else if (strcmp(command, "quit") == 0)
		completion_add_words(c, "now|minimized");
	else if (strcmp(command, "step") == 0)
		completion_add_words(c, COMMAND_STEPS);
	else if (completion_takes_finding(command))
		completion_add_findings(c, s);
	else if (completion_is_one_of(command, "pause", "resume", "stop") ||
		strcmp(command, "select") == 0)
		completion_add_workers(c, s);
}

/* Adds the values of an option with a list of words. */
static void
completion_add_values(struct completion *c, const char *name)
{
	const struct option *o = settings_find(name);

	if (o != NULL && o->words != NULL)
		completion_add_words(c, o->words);
	else if (o != NULL && o->type == OPTION_FLAG)
		completion_add_words(c, "on|off");
}

void
completion_collect(struct completion *c, const struct text_field *field,
	const struct snapshot *s)
{
	char line[TEXT_FIELD_SIZE], *rest = line, *words[4] = { NULL };
	size_t n = 0;

	memset(c, 0, sizeof(*c));
	memcpy(line, field->text, field->cursor);
	line[field->cursor] = '\0';
	while (n < 4 && rest != NULL) {
		char *word = strsep(&rest, " ");

		if (word[0] != '\0' || rest == NULL)
			words[n++] = word;
	}
	if (n == 0 || rest != NULL)
		return;
	snprintf(c->word, sizeof(c->word), "%s", words[n - 1]);
	c->word_len = strlen(c->word);
	if (n == 1)
		completion_add_commands(c);
	else if (n == 2)
		completion_add_arguments(c, s, words[0]);
	else if (n == 3 && strcmp(words[0], "set") == 0)
		completion_add_values(c, words[1]);
	else if (n == 3 && strcmp(words[0], "mark") == 0)
		completion_add_words(c, "new|known|accepted");
	else if (n == 3 && strcmp(words[0], "step") == 0)
		completion_add_minimizations(c, s);
}
