/*
 * share: the group whose members may watch a campaign, --share-group.
 */
#ifndef CFUZZ_CONTROL_SHARE_H
#define CFUZZ_CONTROL_SHARE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "shared/status.h"

/*
 * name: the name or the number of a group; "": *group is PEER_NO_GROUP.
 * E_USAGE: there is no such group, or this process may not give files to it.
 */
enum status share_find_group(const char *name, gid_t *group, struct error *err)
	MUST_CHECK;

/*
 * Finds the outermost folder above `path` that members of the group cannot
 * enter, judged by its mode. False: there is none, and folder means nothing.
 * *by_group: "chmod g+x" would help, otherwise "o+x". A folder whose path has
 * size bytes or more is not examined.
 */
bool share_find_obstacle(const char *path, gid_t group, char *folder,
	size_t size, bool *by_group);

#endif
