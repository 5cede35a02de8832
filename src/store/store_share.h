/*
 * store_share: the output directory of a campaign that a group may watch.
 */
#ifndef CFUZZ_STORE_STORE_SHARE_H
#define CFUZZ_STORE_STORE_SHARE_H

#include <sys/types.h>

#include "shared/status.h"

struct store;

/*
 * Lets the group enter the directory, but not list it, until store_unshare() or
 * store_close(). Closes files in it that the group could read. E_IO: nothing
 * has changed.
 */
enum status store_share(struct store *store, gid_t group, struct error *err)
	MUST_CHECK;
void store_unshare(struct store *store);

/* After an engine that was killed while it shared. */
void store_close_share(const struct store *store);

#endif
