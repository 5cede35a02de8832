/*
 * tool: runs a tool of src/tools with the test's own program as a fake worker
 * and as a fake helper for names, and keeps all that it says.
 *
 * The program needs own_note.h, and tool_main() first in its main(). The
 * helper says that offset 0x1xx is in function f1, in line 1 of t.c; for
 * offset 0x9xx it says that it can read nothing.
 */
#ifndef CFUZZ_TESTS_TOOL_H
#define CFUZZ_TESTS_TOOL_H

#include <limits.h>
#include <stdbool.h>

#include <jansson.h>

#include "engine/engine.h"
#include "lib/tree.h"

struct tool {
	const struct tree *tree;
	struct settings settings;
	struct engine_config config;
	char target[PATH_MAX], *args[2];
	char said[16384];     /* lines, each with a newline */
	char progress[16384]; /* the same of lines that are replaced */
	json_t *event;        /* the last one; NULL: none */
	struct error err;
};

/* Does not return in a process that the test started. */
void tool_main(int argc, char **argv);

/* mode: of fake_worker.h. One worker, one run of each input. */
void tool_open(struct tool *tool, const struct tree *tree, const char *mode);
void tool_set(struct tool *tool, const char *option, const char *value);
void tool_forget(struct tool *tool); /* all that was said */
void tool_close(struct tool *tool);

bool tool_said(const struct tool *tool, const char *text);
/* A number or a text of the event; -1 and "" if it is not there. */
json_int_t tool_number(const struct tool *tool, const char *name);
const char *tool_text(const struct tool *tool, const char *name);

#endif
