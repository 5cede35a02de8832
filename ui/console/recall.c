/*
 * recall: saves the lines typed at the prompt between sessions.
 */
#include "ui/console/recall.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/dir.h"
#include "base/file.h"
#include "base/log.h"
#include "base/xmalloc.h"

#define RECALL_PATH 4096
#define RECALL_FILE "history"
#define RECALL_MAX ((size_t)PROMPT_HISTORY * TEXT_FIELD_SIZE)

/* -1: it does not exist, or could not be created. */
static int
recall_open_folder(bool make)
{
	const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
	char path[RECALL_PATH];
	int fd;

	if (state != NULL && state[0] == '/')
		snprintf(path, sizeof(path), "%s/cfuzz", state);
	else if (home != NULL && home[0] == '/')
		snprintf(path, sizeof(path), "%s/.local/state/cfuzz", home);
	else
		return -1;
	if (make && dir_create_at(AT_FDCWD, path, DIR_PARENTS, NULL) != OK)
		return -1;
	return dir_open_at(AT_FDCWD, path, 0, &fd, NULL) == OK ? fd : -1;
}

/* A field removes characters that cannot be typed. */
static void
recall_add(struct prompt_history *history, const char *text, size_t len)
{
	struct text_field field = { 0 };

	text_field_insert(&field, text, len);
	prompt_history_add(history, field.text);
}

static void
recall_read(int folder, struct prompt_history *history)
{
	uint8_t *data;
	size_t len, at = 0;

	if (file_read_at(folder, RECALL_FILE, RECALL_MAX, &data, &len, NULL) !=
		OK)
		return;
	while (at < len) {
		const char *line = (const char *)data + at;
		const char *end = memchr(line, '\n', len - at);
		size_t n = end != NULL ? (size_t)(end - line) : len - at;

		recall_add(history, line, n);
		at += n + 1;
	}
	free(data);
	history->fresh = 0;
}

void
recall_load(struct prompt_history *history)
{
	int folder = recall_open_folder(false);

	if (folder < 0)
		return;
	recall_read(folder, history);
	close(folder);
}

static void
recall_write(int folder, const struct prompt_history *history)
{
	const size_t size = PROMPT_HISTORY * TEXT_FIELD_SIZE;
	char *text = xmalloc(size);
	size_t len = 0;

	for (size_t i = 0; i < history->n; i++)
		len += (size_t)snprintf(text + len, size - len, "%s\n",
			history->lines[i]);
	if (file_write_atomic_at(folder, RECALL_FILE, text, len, 0, NULL) != OK)
		log_debug("the prompt's history cannot be written");
	free(text);
}

void
recall_save(struct prompt_history *history)
{
	struct prompt_history all = { 0 };
	int folder = recall_open_folder(true);

	if (folder < 0)
		return;
	recall_read(folder, &all);
	for (size_t i = history->n - history->fresh; i < history->n; i++)
		prompt_history_add(&all, history->lines[i]);
	history->fresh = 0;
	recall_write(folder, &all);
	prompt_history_clear(&all);
	close(folder);
}
