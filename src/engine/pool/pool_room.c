/* pool_room: see pool_room.h. */
#include "engine/pool/pool_room.h"

#include <stdio.h>

#include "base/rlimits.h"
#include "control/settings.h"
#include "engine/log/messages.h"
#include "engine/parts.h"
#include "engine/pool/pool.h"
#include "worker/process.h"

enum status
pool_room_fit(struct engine *e, uint64_t *n, struct error *err)
{
	char why[RLIMITS_TEXT_MAX], text[RLIMITS_TEXT_MAX + 64];
	uint64_t room = process_workers_room(*n, 0, why, sizeof(why));

	if (room == 0)
		return error_set(err, E_USAGE, "no worker can be started: %s",
			why);
	if (room == *n)
		return OK;
	snprintf(text, sizeof(text), "%llu of %llu workers are started: %s",
		(unsigned long long)room, (unsigned long long)*n, why);
	message_keep_warning(e, "worker", text);
	*n = engine_change_settings(e)->parallel = room;
	return OK;
}

enum status
pool_room_check(struct engine *e, uint32_t index, struct error *err)
{
	char why[RLIMITS_TEXT_MAX];

	if (pool_worker(e, index) == NULL &&
		process_workers_room(1, pool_starts(e), why, sizeof(why)) == 0)
		return error_set(err, E_USAGE, "%s", why);
	return OK;
}
