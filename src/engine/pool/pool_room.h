/*
 * pool_room: as many workers as there are descriptors to start them with.
 */
#ifndef CFUZZ_ENGINE_POOL_POOL_ROOM_H
#define CFUZZ_ENGINE_POOL_POOL_ROOM_H

#include <stdint.h>

#include "shared/status.h"

struct engine;

/*
 * At the start, before the first slot is made: reduces *n, and the setting
 * "parallel", to what the limit allows; a warning says so. E_USAGE: it allows
 * none. The slots are made without asking again: the thread of the store has
 * some descriptors for a moment.
 */
enum status pool_room_fit(struct engine *e, uint64_t *n, struct error *err)
	MUST_CHECK;
/* Later: is there room for one more? A slot that was used has its own. E_USAGE:
 * there is none, and why. */
enum status pool_room_check(struct engine *e, uint32_t index, struct error *err)
	MUST_CHECK;

#endif
