/* library: finds the files that -l options name, see library.h. */
#include "cc/library.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/xmalloc.h"

/* Adds the words that the linker gets from an option. */
static void
library_add_words(struct arguments *words, const struct item *item)
{
	const char *value = item->value;

	if (item->flag == NULL || value == NULL)
		return;
	switch (item->flag->id) {
	case FLAG_LIBRARY:
	case FLAG_FOLDER:
		arguments_add(words, item->flag->name);
		arguments_add(words, value);
		break;
	case FLAG_XLINKER:
		arguments_add(words, value);
		break;
	case FLAG_LINKER:
		for (size_t len; *value != '\0'; value += len) {
			value += *value == ',';
			len = strcspn(value, ",");
			arguments_take(words, xstrndup(value, len));
		}
		break;
	default:
		break;
	}
}

/* The value of the option, if word i is this option; else NULL. A value that is
 * the next word is passed over. */
static const char *
library_value(const struct arguments *words, size_t *i, const char *option)
{
	const char *word = words->v[*i];
	size_t len = strlen(option);

	if (strncmp(word, option, len) != 0)
		return NULL;
	if (word[len] != '\0')
		return word + len;
	return *i + 1 < words->n ? words->v[++*i] : NULL;
}

static bool
library_take(struct arguments *paths, char *take_path)
{
	bool exists = access(take_path, F_OK) == 0;

	if (exists)
		arguments_take(paths, take_path);
	else
		free(take_path);
	return exists;
}

static void
library_find(const struct arguments *folders, const char *name,
	bool only_archives, struct arguments *paths)
{
	for (size_t i = 0; i < folders->n; i++) {
		const char *folder = folders->v[i];

		if (name[0] == ':') {
			if (library_take(paths,
				    xasprintf("%s/%s", folder, name + 1)))
				return;
			continue;
		}
		if (!only_archives &&
			library_take(paths,
				xasprintf("%s/lib%s.so", folder, name)))
			return;
		if (library_take(paths, xasprintf("%s/lib%s.a", folder, name)))
			return;
	}
}

static bool
library_is_static(const struct compile_command *command)
{
	for (size_t i = 0; i < command->n_items; i++)
		if (strcmp(command->items[i].name, "-static") == 0 ||
			strcmp(command->items[i].name, "-static-pie") == 0)
			return true;
	return false;
}

void
library_list(const struct compile_command *command, struct arguments *paths)
{
	struct arguments words = { 0 }, folders = { 0 };
	bool only_archives = library_is_static(command);
	const char *value;

	for (size_t i = 0; i < command->n_items; i++)
		library_add_words(&words, &command->items[i]);
	for (size_t i = 0; i < words.n; i++) {
		value = library_value(&words, &i, "-L");
		if (value != NULL)
			arguments_add(&folders, value);
	}
	for (size_t i = 0; i < words.n; i++) {
		if (strcmp(words.v[i], "-Bstatic") == 0)
			only_archives = true;
		else if (strcmp(words.v[i], "-Bdynamic") == 0)
			only_archives = false;
		value = library_value(&words, &i, "-l");
		if (value != NULL)
			library_find(&folders, value, only_archives, paths);
	}
	arguments_clear(&words);
	arguments_clear(&folders);
}
