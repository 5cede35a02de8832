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
 * store_close(). Files in it that others could read become private, also if the
 * call fails. On failure the directory is not shared. E_USAGE: see
 * store_check_root(); E_IO otherwise.
 */
enum status store_share(struct store *store, gid_t group, struct error *err)
	MUST_CHECK;
void store_unshare(struct store *store);

/* Makes the directory private again if a killed engine left it shared. */
void store_close_share(const struct store *store);

#endif
