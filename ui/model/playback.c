/* playback: see playback.h. */
#include "ui/model/playback.h"

#include <stdio.h>

bool
playback_decode(struct playback *p, const json_t *json)
{
	int paused, ended, past;
	struct playback now = { .on = true };
	const char *view = "";

	if (json_unpack((json_t *)json, "{s:F, s:F, s:F, s:b, s:b, s:b, s?s}",
		    "at", &now.at_s, "length", &now.length_s, "speed",
		    &now.speed, "paused", &paused, "ended", &ended, "past",
		    &past, "view", &view) != 0)
		return false;
	(void)snprintf(now.view, sizeof(now.view), "%s", view);
	now.paused = paused;
	now.ended = ended;
	now.past = past;
	*p = now;
	return true;
}
