/* engine_stats: see engine_stats.h. */
#include "engine/engine_stats.h"

#include <jansson.h>

#include "control/snapshot.h"
#include "engine/front/server.h"
#include "engine/front/snapshot_view.h"
#include "engine/parts.h"
#include "engine/program.h"
#include "engine/triage/suspect.h"
#include "store/store.h"
#include "worker/type_names.h"

void
engine_stats_write(struct engine *e)
{
	struct snapshot snapshot;
	json_t *stats;

	view_make(e, &snapshot);
	server_view(engine_server(e), &snapshot);
	stats = snapshot_encode(&snapshot);
	if (stats != NULL && program_types(e)->n > 0)
		json_object_set_new(stats, "types",
			type_names_json(program_types(e)));
	if (stats != NULL && suspects_waiting(e) > 0)
		json_object_set_new(stats, "suspects_left", suspects_left(e));
	if (stats != NULL)
		store_write_stats(engine_store(e), stats);
	json_decref(stats);
	snapshot_clear(&snapshot);
}
