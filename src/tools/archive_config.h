/*
 * archive_config: a target is run as its campaign ran it: with its arguments
 * and limits, but for what the user says.
 */
#ifndef CFUZZ_TOOLS_ARCHIVE_CONFIG_H
#define CFUZZ_TOOLS_ARCHIVE_CONFIG_H

#include "engine/engine.h"
#include "store/archive.h"

struct archive_config {
	struct engine_config config; /* to be used in place of the other */
	struct settings settings;
	struct archive_start start;
};

/* output may be NULL: there is no campaign. */
void archive_config_init(struct archive_config *a,
	const struct engine_config *from, const char *output);
void archive_config_clear(struct archive_config *a);

/* The limits that stats.json tells of, where the user has set none. */
void archive_take_limits(struct settings *settings, const json_t *stats);

/* "with the campaign's arguments: a 'b c'"; "": it has none, or the user gave
 * others. */
void archive_config_tell(const struct archive_config *a, char *buf,
	size_t size);

#endif
