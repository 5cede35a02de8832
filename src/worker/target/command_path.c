/* command_path: see command_path.h. */

#include "worker/target/command_path.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/text.h"

#define COMMAND_NAME_MAX 64
#define COMMAND_SPACE " \t\n"
#define COMMAND_WRAPPER "temporary wrapper script for "

const char *
command_path_find(const char *name, char *buf, size_t size)
{
	const char *at = getenv("PATH");

	if (name[0] == '\0' || strchr(name, '/') != NULL ||
		access(name, F_OK) == 0)
		return name;
	while (at != NULL && *at != '\0') {
		size_t len = strcspn(at, ":");

		/* An empty folder is the present one. */
		if (len > 0 &&
			(size_t)snprintf(buf, size, "%.*s/%s", (int)len, at,
				name) < size &&
			file_is_program(buf))
			return buf;
		at += at[len] == ':' ? len + 1 : len;
	}
	return name;
}

/* The name of the interpreter; env(1) stands for the word that follows it. */
static void
command_interpreter(const char *start, char *name, size_t size)
{
	char line[256], *save = NULL, *word, *slash;

	(void)snprintf(line, sizeof(line), "%s", start);
	line[strcspn(line, "\n")] = '\0';
	word = strtok_r(line, COMMAND_SPACE, &save);
	slash = word != NULL ? strrchr(word, '/') : NULL;
	if (slash != NULL && strcmp(slash, "/env") == 0) {
		do
			word = strtok_r(NULL, COMMAND_SPACE, &save);
		while (word != NULL && word[0] == '-');
		slash = word != NULL ? strrchr(word, '/') : NULL;
	}
	if (word == NULL)
		word = "sh";
	text_clean_string(slash != NULL ? slash + 1 : word, name, size);
}

/*
 * The program that a wrapper script of libtool starts: its path stands in a
 * comment, relative to the folder of the script. Returns false for any other
 * script.
 */
static bool
command_wrapped(const char *start, char *path, size_t size)
{
	const char *at = strstr(start, COMMAND_WRAPPER), *end;

	if (at == NULL)
		return false;
	at += strlen(COMMAND_WRAPPER);
	end = strchr(at, '\n');
	if (end == NULL || end == at)
		return false;
	text_clean(at, (size_t)(end - at), path, size);
	return true;
}

enum status
command_path_refuse_script(const char *shown, const char *start,
	struct error *err)
{
	char name[COMMAND_NAME_MAX], program[COMMAND_SCRIPT_START];
	const char *slash = strrchr(shown, '/');

	if (command_wrapped(start, program, sizeof(program)))
		return error_set(err, E_TARGET,
			"%s is libtool's wrapper of %.*s%s: configure with "
			"--disable-shared, or fuzz that program with the "
			"folders of its libraries in LD_LIBRARY_PATH",
			shown, slash != NULL ? (int)(slash + 1 - shown) : 0,
			shown, program);
	command_interpreter(start, name, sizeof(name));
	return error_set(err, E_TARGET,
		"%s is a script: name its interpreter as the target, and the "
		"script as its first argument: %s %s",
		shown, name, shown);
}
