/* vt_screen: see vt_screen.h. */
#include "lib/vt_screen.h"

#include <stdlib.h>
#include <string.h>

#include <vterm.h>

#include "base/xmalloc.h"

#define CELL_BYTES 24 /* of a character with its combining ones */

struct vt_screen {
	VTerm *terminal;
	VTermScreen *screen;
	int rows, columns;
	char *text;
	size_t size;
};

struct vt_screen *
vt_screen_create(int rows, int columns)
{
	struct vt_screen *s = xcalloc(1, sizeof(*s));

	s->terminal = vterm_new(rows, columns);
	vterm_set_utf8(s->terminal, 1);
	s->screen = vterm_obtain_screen(s->terminal);
	vterm_screen_enable_altscreen(s->screen, 1);
	vterm_screen_reset(s->screen, 1);
	s->rows = rows;
	s->columns = columns;
	s->size = (size_t)rows * ((size_t)columns * CELL_BYTES + 1) + 1;
	s->text = xmalloc(s->size);
	return s;
}

void
vt_screen_destroy(struct vt_screen *s)
{
	vterm_free(s->terminal);
	free(s->text);
	free(s);
}

void
vt_screen_write(struct vt_screen *s, const char *bytes, size_t len)
{
	vterm_input_write(s->terminal, bytes, len);
}

const char *
vt_screen_text(struct vt_screen *s)
{
	size_t len = 0;

	for (int row = 0; row < s->rows; row++) {
		VTermRect line = { row, row + 1, 0, s->columns };

		len += vterm_screen_get_text(s->screen, s->text + len,
			s->size - len - 1, line);
		s->text[len++] = '\n';
	}
	s->text[len] = '\0';
	return s->text;
}

bool
vt_screen_has(struct vt_screen *s, const char *text)
{
	return strstr(vt_screen_text(s), text) != NULL;
}
