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

void
failure_quote(struct failure *f, const char *output, size_t len)
{
	size_t used = strlen(f->text);
	const char *start;

	while (len > 0 && (uint8_t)output[len - 1] <= ' ')
		len--;
	if (len == 0)
		return;
	start = memrchr(output, '\n', len);
	start = start != NULL ? start + 1 : output;
	len -= (size_t)(start - output);
	if (len > 256)
		len = 256;
	(void)snprintf(f->text + used, sizeof(f->text) - used, ": %.*s",
		(int)len, start);
	for (char *c = f->text; *c != '\0'; c++) {
		if (*c < ' ' || *c > '~')
			*c = '?';
	}
}
