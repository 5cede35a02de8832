/* growth: see growth.h. */
#include "store/growth.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define GROWTH_STEP_S 1.0
#define GROWTH_TIME_MAX 1e9 /* seconds; larger values are invalid */
#define GROWTH_BITS_MAX 1e15

/* ---- points ---- */

static bool
growth_same_step(const struct growth *g, double a, double b)
{
	return floor(a / g->step_s) >= floor(b / g->step_s);
}

/* Merges `later` into the point before it. */
static void
growth_join(struct snapshot_past *point, const struct snapshot_past *later)
{
	point->at_s = later->at_s;
	point->bits = later->bits;
	point->finds += later->finds;
	point->findings += later->findings;
}

static void
growth_double_step(struct growth *g)
{
	size_t n = 0;

	g->step_s *= 2;
	for (size_t i = 0; i < g->n; i++)
		if (n > 0 &&
			growth_same_step(g, g->points[n - 1].at_s,
				g->points[i].at_s))
			growth_join(&g->points[n - 1], &g->points[i]);
		else
			g->points[n++] = g->points[i];
	g->n = n;
}

void
growth_add(struct growth *g, const struct snapshot_past *now)
{
	struct snapshot_past point = *now;
	struct snapshot_past *last = g->n > 0 ? &g->points[g->n - 1] : NULL;

	if (!(g->step_s > 0))
		g->step_s = GROWTH_STEP_S;
	if (last != NULL && point.at_s < last->at_s)
		point.at_s = last->at_s;
	if (last != NULL && growth_same_step(g, last->at_s, point.at_s)) {
		growth_join(last, &point);
		return;
	}
	while (g->n == SNAPSHOT_PAST_MAX)
		growth_double_step(g);
	g->points[g->n++] = point;
}

/* ---- lines ---- */

/* Text in JSON escapes its quotes, so the name of a member cannot occur inside
 * a text. False: no such member, or not a valid number. */
static bool
growth_number(const char *line, const char *member, double max, double *number)
{
	const char *at = strstr(line, member);

	if (at == NULL)
		return false;
	*number = strtod(at + strlen(member), NULL);
	return *number >= 0 && *number <= max;
}

enum growth_kind {
	GROWTH_NOTHING,
	GROWTH_FIND,
	GROWTH_FINDING,
	GROWTH_TOTAL
};

static enum growth_kind
growth_kind(const char *line)
{
	static const struct {
		const char *name;
		enum growth_kind kind;
	} kinds[] = {
		{ "find\"", GROWTH_FIND },
		{ "warm\"", GROWTH_TOTAL },
		{ "end\"", GROWTH_TOTAL },
		{ "crash\"", GROWTH_FINDING },
		{ "hang\"", GROWTH_FINDING },
		{ "oom\"", GROWTH_FINDING },
		{ "leak\"", GROWTH_FINDING },
	};
	static const char member[] = "\"event\":\"";
	const char *at = strstr(line, member);

	for (size_t i = 0; at != NULL && i < sizeof(kinds) / sizeof(*kinds);
		i++)
		if (strncmp(at + sizeof(member) - 1, kinds[i].name,
			    strlen(kinds[i].name)) == 0)
			return kinds[i].kind;
	return GROWTH_NOTHING;
}

void
growth_take_line(struct growth *g, const char *line)
{
	enum growth_kind kind = growth_kind(line);
	struct snapshot_past point = {
		.bits = g->n > 0 ? g->points[g->n - 1].bits : 0,
		.finds = kind == GROWTH_FIND,
		.findings = kind == GROWTH_FINDING,
	};
	double bits, gap_s;

	if (kind == GROWTH_NOTHING ||
		!growth_number(line, "\"at_s\":", GROWTH_TIME_MAX, &point.at_s))
		return;
	if (kind != GROWTH_FINDING &&
		!growth_number(line, "\"bits\":", GROWTH_BITS_MAX, &bits))
		return;
	if (kind == GROWTH_TOTAL)
		point.bits = (uint64_t)bits;
	if (kind == GROWTH_FIND) {
		point.bits += (uint64_t)bits;
		gap_s = point.at_s - g->find_s;
		g->gap_s = gap_s > g->gap_s ? gap_s : g->gap_s;
		g->find_s = point.at_s;
	}
	growth_add(g, &point);
}
