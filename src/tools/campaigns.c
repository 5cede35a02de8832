/*
 * campaigns: what is known of each campaign in the index, see engine/engine.h.
 */
#include <string.h>

#include "base/fd.h"
#include "control/campaign_index.h"
#include "control/endpoint.h"
#include "control/json_text.h"
#include "engine/engine.h"
#include "tools/archive_config.h"

/* A campaign that was killed had no time to say that it ended. */
static const char *
campaigns_state(const json_t *stats, bool runs)
{
	const char *state = json_text_of(stats, "state");

	if (!runs)
		return strcmp(state, "ended") == 0 ? "ended" : "killed";
	return state[0] == '\0' || strcmp(state, "ended") == 0 ? "starting"
							       : state;
}

static json_t *
campaigns_row(const struct campaign *campaign)
{
	int fd;
	enum status status =
		endpoint_connect(campaign->output, &fd, &(struct error){ 0 });
	bool runs = status == OK || status == E_BUSY;
	/* Read later: one that has ended said so before it was gone. */
	json_t *stats = archive_read_stats(campaign->output);
	uint64_t attached = json_count_of(stats, "watchers");
	json_t *row = json_object();

	if (runs)
		fd_close(&fd);
	attached += json_text_of(stats, "controller")[0] != '\0';
	json_object_set_new(row, "output", json_text_new(campaign->output));
	json_object_set_new(row, "target",
		json_text_new(json_text_of(stats, "target")));
	json_object_set_new(row, "state",
		json_text_new(campaigns_state(stats, runs)));
	json_object_set_new(row, "runs", json_boolean(runs));
	json_object_set_new(row, "since",
		json_count_new((uint64_t)campaign->since));
	json_object_set_new(row, "execs",
		json_count_new(json_count_of(stats, "past_execs") +
			json_count_of(stats, "execs")));
	json_object_set_new(row, "findings",
		json_count_new(json_count_of(stats, "crashes") +
			json_count_of(stats, "hangs") +
			json_count_of(stats, "ooms") +
			json_count_of(stats, "leaks")));
	json_object_set_new(row, "attached",
		json_count_new(runs ? attached : 0));
	json_decref(stats);
	return row;
}

json_t *
engine_campaigns(struct error *err)
{
	struct campaign_index index;
	json_t *rows = NULL;

	if (campaign_index_read(&index, err) == OK) {
		rows = json_array();
		for (size_t i = 0; i < index.n; i++)
			json_array_append_new(rows,
				campaigns_row(&index.items[i]));
	}
	campaign_index_clear(&index);
	return rows;
}
