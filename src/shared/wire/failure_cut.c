/*
 * failure_cut: keeps the target's own frames of a stack.
 *
 * The list of modules says where the runtime's code is, so the owner of a list
 * can cut: the fork server for a dead child, the engine for a dead worker.
 */

#include "shared/wire/failure.h"

#include <stdio.h>
#include <string.h>

static bool
cut_is_part(const struct failure_module *m)
{
	return m->name[0] == '/';
}

static const struct failure_module *
cut_find_module(uint64_t address, const struct failure_module *modules,
	size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (address >= modules[i].start && address < modules[i].end &&
			!cut_is_part(&modules[i]))
			return &modules[i];
	}
	return NULL;
}

/* True if the frame is in that part of the runtime. */
static bool
cut_is_in(const struct failure_frame *frame, const char *part,
	const struct failure_module *modules, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct failure_module *m = &modules[i], *own;

		if (strncmp(m->name, part, sizeof(m->name)) != 0)
			continue;
		own = cut_find_module(m->start, modules, n);
		if (own != NULL &&
			failure_is_module(frame->module, own->name,
				strnlen(own->name, sizeof(own->name))) &&
			frame->offset + own->bias >= m->start &&
			frame->offset + own->bias < m->end)
			return true;
	}
	return false;
}

void
failure_cut(struct failure *f, const struct failure_module *modules, size_t n)
{
	uint32_t left = 0;

	for (uint32_t i = 0; i < f->frames_n; i++) {
		const struct failure_frame *frame = &f->frames[i];

		if (i > 0 && cut_is_in(frame, FAILURE_PART_CALLS, modules, n))
			break;
		if (!cut_is_in(frame, FAILURE_PART_STRINGS, modules, n) &&
			!cut_is_in(frame, FAILURE_PART_TEXT, modules, n))
			f->frames[left++] = *frame;
		/* The C library's start follows, in no build the same. */
		if (cut_is_in(frame, FAILURE_PART_MAIN, modules, n))
			break;
	}
	f->frames_n = left;
}

void
failure_take_report(struct failure *f, const struct failure *report,
	const struct failure_module *modules, size_t n)
{
	struct failure signal = *f;
	bool whole = report->frames_n > 1;

	*f = *report;
	failure_cut(f, modules, n);
	for (uint32_t i = 0; !whole && i < signal.frames_n &&
		f->frames_n < FAILURE_FRAMES_MAX;
		i++)
		f->frames[f->frames_n++] = signal.frames[i];
}

/* Takes the last line with words off *len; returns its start, *n its length. */
static const char *
cut_last_line(const char *output, size_t *len, size_t *n)
{
	const char *start;

	while (*len > 0 && (uint8_t)output[*len - 1] <= ' ')
		(*len)--;
	start = *len > 0 ? memrchr(output, '\n', *len) : NULL;
	start = start != NULL ? start + 1 : output;
	*n = *len - (size_t)(start - output);
	*len = (size_t)(start - output);
	return start;
}

static bool
cut_ends_with(const char *line, size_t n, const char *words)
{
	size_t len = strlen(words);

	return n >= len && memcmp(line + n - len, words, len) == 0;
}

/* For a virtual method, libstdc++ says why it ends, and then that it ends. */
static const char *
cut_telling_line(const char *output, size_t len, size_t *n)
{
	const char *last = cut_last_line(output, &len, n), *before;
	size_t before_n;

	if (!cut_ends_with(last, *n,
		    "terminate called without an active exception"))
		return last;
	before = cut_last_line(output, &len, &before_n);
	if (!cut_ends_with(before, before_n, " virtual method called"))
		return last;
	*n = before_n;
	return before;
}

void
failure_quote(struct failure *f, const char *output, size_t len)
{
	size_t used = strlen(f->text), n;
	const char *start = cut_telling_line(output, len, &n);

	if (n == 0)
		return;
	if (n > 256)
		n = 256;
	(void)snprintf(f->text + used, sizeof(f->text) - used, ": %.*s", (int)n,
		start);
	for (char *c = f->text; *c != '\0'; c++) {
		if (*c < ' ' || *c > '~')
			*c = '?';
	}
}
