/*
 * campaign_index: which campaigns this user has on this machine.
 *
 * A folder of links, one for each output directory, so that a campaign is found
 * without its path: $XDG_RUNTIME_DIR/cfuzz, or else /tmp/cfuzz-UID. A link is
 * made when a campaign starts. A link to a missing directory is removed when
 * the index is read or swept. Whether the campaign runs is not in the index:
 * endpoint_connect() tells.
 */
#ifndef CFUZZ_CONTROL_CAMPAIGN_INDEX_H
#define CFUZZ_CONTROL_CAMPAIGN_INDEX_H

#include <stddef.h>
#include <time.h>

#include "shared/status.h"

struct campaign {
	char *output; /* absolute path, owned */
	time_t since; /* its last start */
};

struct campaign_index {
	struct campaign *items; /* the newest start first */
	size_t n;
};

/* Adds the campaign in this output directory, which starts now. E_USAGE: the
 * folder of links is not the user's alone; E_IO and others: no link. */
enum status campaign_index_add(const char *output, struct error *err)
	MUST_CHECK;

/* Removes links to missing directories. Called when a campaign ends, because
 * its start must be quick. */
void campaign_index_sweep(void);

/* All campaigns whose directory exists; none if there is no index. The caller
 * clears the list, which is empty on failure; errors: see
 * campaign_index_add(). */
enum status campaign_index_read(struct campaign_index *index, struct error *err)
	MUST_CHECK;
void campaign_index_clear(struct campaign_index *index);

/*
 * Connects to the only campaign that runs, see endpoint_connect(). The caller
 * frees *output and closes *fd. E_NOT_FOUND: none runs; E_USAGE: several, the
 * message names them.
 */
enum status campaign_index_connect(char **output, int *fd, struct error *err)
	MUST_CHECK;

#endif
