/* finding_widths: see finding_widths.h. */
#include "ui/views/findings/finding_widths.h"

#include "base/text.h"
#include "ui/widgets/finding_location.h"

#define FINDING_WIDTHS_WHAT_LEAST 6 /* minimum columns, for the location */
#define FINDING_WIDTHS_WHAT 22      /* columns of the longest usual failure */
#define FINDING_WIDTHS_LEAST 24     /* maximum columns for file and line */

static void
finding_widths_raise(int *width, int needed)
{
	if (needed > *width)
		*width = needed;
}

void
finding_widths_add(struct finding_widths *needed,
	const struct snapshot_finding *f)
{
	int what = (int)text_width(f->what);
	int least = finding_location_least(f);

	finding_widths_raise(&needed->what,
		what < FINDING_WIDTHS_WHAT ? what : FINDING_WIDTHS_WHAT);
	finding_widths_raise(&needed->least,
		least < FINDING_WIDTHS_LEAST ? least : FINDING_WIDTHS_LEAST);
	finding_widths_raise(&needed->where, finding_location_whole(f));
}

void
finding_widths_share(const struct finding_widths *needed, struct table *layout,
	size_t what)
{
	int *text = &layout->cells[what].w, *where = &layout->cells[what + 1].w;
	int room = *text + *where, w = *where;

	if (*where == 0)
		return;
	if (*text < needed->what || *where < needed->where)
		w = room - needed->what;
	if (w > needed->where && w > *where)
		w = needed->where;
	if (w < needed->least)
		w = needed->least;
	if (w > room - FINDING_WIDTHS_WHAT_LEAST)
		w = room - FINDING_WIDTHS_WHAT_LEAST;
	layout->cells[what + 1].x += *where - w;
	*text = room - w;
	*where = w;
}
