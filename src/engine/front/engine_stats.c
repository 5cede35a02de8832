/* engine_stats: see engine_stats.h. */
#include "engine/front/engine_stats.h"

#include <jansson.h>

#include "control/snapshot.h"
#include "engine/engine_end.h"
#include "engine/engine_over_state.h"
#include "engine/front/server.h"
#include "engine/front/snapshot_view.h"
#include "engine/parts.h"
#include "engine/program.h"
#include "engine/triage/findings_list.h"
#include "engine/triage/suspect.h"
#include "findings/finding.h"
#include "findings/finding_states.h"
#include "store/store.h"
#include "worker/inputs/type_names.h"

/* The numbers of a campaign that is over stay; findings may have changed. */
static json_t *
engine_stats_merge(const struct engine *e, json_t *take_new)
{
	static const char *const changed[] = { "findings", "crashes", "hangs",
		"ooms", "leaks", "findings_ignored", "findings_not_seen",
		"findings_new" };
	json_t *stats = json_deep_copy(over_stats(e));
	size_t i;

	for (i = 0; i < sizeof(changed) / sizeof(changed[0]); i++)
		json_object_set(stats, changed[i],
			json_object_get(take_new, changed[i]));
	json_decref(take_new);
	return stats;
}

/* Findings that fail the step of `cfuzz ci`: reports pass over all others. */
static json_t *
engine_stats_new(const struct engine *e)
{
	json_t *folders = json_array();

	for (size_t i = 0; i < findings_count(e); i++) {
		const struct finding *f = findings_at(e, i);

		if (finding_is_news(f))
			json_array_append_new(folders, json_string(f->folder));
	}
	return folders;
}

static void
engine_stats_put_types(const struct engine *e, json_t *stats)
{
	if (program_types(e)->n == 0)
		return;
	json_object_set_new(stats, "types", type_names_json(program_types(e)));
	if (program_function(e)[0] != '\0')
		json_object_set_new(stats, "function",
			json_string(program_function(e)));
}

json_t *
engine_stats_encode(struct engine *e)
{
	struct snapshot snapshot;
	json_t *stats, *left = suspects_left(e);

	view_make(e, &snapshot);
	server_view(engine_server(e), &snapshot);
	stats = snapshot_encode(&snapshot);
	if (over_stats(e) != NULL)
		stats = engine_stats_merge(e, stats);
	else if (stats != NULL && engine_settings(e)->ci)
		json_object_set_new(stats, "ci_new", engine_stats_new(e));
	if (stats != NULL)
		engine_stats_put_types(e, stats);
	if (stats != NULL && json_array_size(left) > 0)
		json_object_set(stats, "suspects_left", left);
	json_decref(left);
	snapshot_clear(&snapshot);
	return stats;
}

void
engine_stats_write(struct engine *e)
{
	json_t *stats = engine_stats_encode(e);

	if (stats != NULL)
		store_write_stats(engine_store(e), stats);
	json_decref(stats);
}

size_t
engine_stats_finish(struct engine *e, uint64_t timeout_ms, writer_lost_fn *fn,
	void *arg)
{
	struct store *store = engine_store(e);
	size_t n = store_finish(store, timeout_ms, fn, arg);

	if (n == 0 && engine_unsaved(e)) {
		engine_note_unsaved(e, false);
		engine_stats_write(e);
		n = store_finish(store, timeout_ms, fn, arg);
	}
	engine_note_unsaved(e, n > 0);
	return n;
}
