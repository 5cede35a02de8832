/* findings_list: see findings_list.h. */
#include "engine/triage/findings_list.h"

#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"
#include "control/settings.h"
#include "engine/parts.h"
#include "engine/program.h"
#include "engine/triage/findings_list_private.h"
#include "findings/finding.h"

size_t
findings_count(const struct engine *e)
{
	return engine_findings_list(e)->n;
}

struct finding *
findings_at(const struct engine *e, size_t i)
{
	return engine_findings_list(e)->list[i];
}

void
findings_add(struct engine *e, struct finding *take_finding)
{
	struct findings *l = engine_findings_list(e);

	l->list = xreallocarray(l->list, l->n + 1, sizeof(*l->list));
	l->list[l->n++] = take_finding;
}

static int
findings_compare(const void *x, const void *y)
{
	const struct finding *a = *(struct finding *const *)x,
			     *b = *(struct finding *const *)y;

	if (a->first_s != b->first_s)
		return a->first_s < b->first_s ? -1 : 1;
	return strcmp(a->folder, b->folder);
}

void
findings_sort(struct engine *e)
{
	struct findings *l = engine_findings_list(e);

	if (l->n > 0)
		qsort(l->list, l->n, sizeof(*l->list), findings_compare);
}

void
findings_remove(struct engine *e, const struct finding *f)
{
	struct findings *l = engine_findings_list(e);
	size_t i = 0;

	while (l->list[i] != f)
		i++;
	l->n--;
	memmove(&l->list[i], &l->list[i + 1], (l->n - i) * sizeof(*l->list));
}

void
findings_clear(struct engine *e)
{
	struct findings *l = engine_findings_list(e);
	size_t i;

	for (i = 0; i < l->n; i++)
		finding_destroy(l->list[i]);
	free(l->list);
	*l = (struct findings){ .n = 0 };
}

struct finding *
findings_find(const struct engine *e, const char *id)
{
	const struct findings *l = engine_findings_list(e);
	size_t i;

	for (i = 0; i < l->n; i++)
		if (strcmp(l->list[i]->id, id) == 0 ||
			strcmp(l->list[i]->folder, id) == 0)
			return l->list[i];
	return NULL;
}

bool
findings_fails_run(const struct engine *e, const struct finding *f)
{
	return engine_settings(e)->ci ? finding_is_news(f) : finding_counts(f);
}

bool
findings_found(const struct engine *e)
{
	size_t i;

	for (i = 0; i < findings_count(e); i++)
		if (findings_fails_run(e, findings_at(e, i)))
			return true;
	return false;
}

bool
findings_any_open(const struct engine *e)
{
	size_t i;

	for (i = 0; i < findings_count(e); i++) {
		const struct finding *f = findings_at(e, i);

		if (f->verdict != VERDICT_ACCEPTED &&
			finding_standing(f->build, f->replays_build,
				f->reproduced,
				program_info(e)->build) == STANDING_OPEN)
			return true;
	}
	return false;
}

struct finding *
findings_crash(const struct engine *e)
{
	return engine_findings_list(e)->crash_minimizing;
}

void
findings_set_crash(struct engine *e, struct finding *f)
{
	engine_findings_list(e)->crash_minimizing = f;
}
