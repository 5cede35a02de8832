/*
 * terminal_kind: the terminal's description in terminfo.
 */
#include "ui/term/terminal_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *
terminal_kind_name(void)
{
	const char *name = getenv("TERM");

	return name != NULL ? name : "";
}

enum status
terminal_check(int in_fd, int out_fd, struct error *err)
{
	const char *name = terminal_kind_name();
	int found = 0;
	bool moves;

	if (!isatty(in_fd) || !isatty(out_fd))
		return error_set(err, E_STATE, "this is not a terminal");
	if (name[0] == '\0' || strcmp(name, "dumb") == 0 ||
		strcmp(name, "unknown") == 0)
		return error_set(err, E_STATE,
			"the terminal cannot move the cursor (TERM=%s)", name);
	if (setupterm(name, out_fd, &found) != OK)
		return error_set(err, E_NOT_FOUND,
			"the terminal type in TERM is not known here");
	moves = cursor_address != NULL;
	del_curterm(cur_term);
	if (!moves)
		return error_set(err, E_STATE,
			"the terminal cannot move the cursor (TERM=%s)", name);
	return OK;
}

bool
terminal_kind_direct(char *buf, size_t size)
{
	const char *claim = getenv("COLORTERM"), *name = terminal_kind_name();
	int found = 0;

	if (claim == NULL ||
		(strcmp(claim, "truecolor") != 0 &&
			strcmp(claim, "24bit") != 0))
		return false;
	snprintf(buf, size, "%.*s-direct", (int)strcspn(name, "-"), name);
	if (setupterm(buf, STDOUT_FILENO, &found) != OK)
		return false;
	del_curterm(cur_term);
	return true;
}

/* Appends a capability without its delays to the reset text. */
static void
kind_reset_add(struct terminal *t, const char *capability)
{
	const char *text = tigetstr((char *)capability);
	size_t len = strlen(t->reset);

	if (text == NULL || text == (char *)-1)
		return;
	while (*text != '\0' && len + 1 < sizeof(t->reset)) {
		const char *end =
			strncmp(text, "$<", 2) == 0 ? strchr(text, '>') : NULL;

		if (end != NULL)
			text = end + 1;
		else
			t->reset[len++] = *text++;
	}
	t->reset[len] = '\0';
}

/* Without XM, uses the modes of xterm; a terminal ignores unknown modes. */
const char *
terminal_kind_mouse(bool on)
{
	const char *modes = tigetstr((char *)"XM");
	const char *reports = tigetstr((char *)"kmous");

	if (modes != NULL && modes != (char *)-1)
		return tiparm(modes, on);
	if (reports == NULL || reports == (char *)-1)
		return "";
	return on ? "\033[?1000;1006h" : "\033[?1000;1006l";
}

void
terminal_kind_reset(struct terminal *t)
{
	snprintf(t->reset, sizeof(t->reset), "%s", terminal_kind_mouse(false));
	kind_reset_add(t, "sgr0");
	if (t->color)
		kind_reset_add(t, "op");
	kind_reset_add(t, "cnorm");
	kind_reset_add(t, "BD");
	kind_reset_add(t, "rmcup");
}
