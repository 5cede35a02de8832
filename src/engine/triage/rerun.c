/*
 * rerun: the command line that runs the input of a finding again.
 *
 * It is shown, copied, and written into files that people pass to a shell, so
 * every word is quoted.
 */
#include "engine/triage/rerun.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/xmalloc.h"
#include "control/settings.h"
#include "engine/parts.h"
#include "engine/program.h"
#include "engine/triage/triage_needs.h"
#include "findings/finding.h"
#include "findings/finding_limits.h"
#include "worker/target/elf.h"

#define WORD_MAX (4 * PATH_MAX)

void
rerun_options(const struct engine *e, const struct finding *f, char *buf,
	size_t size)
{
	struct settings settings = { 0 };
	size_t n;

	settings_copy(&settings, engine_settings(e));
	finding_limits_take(&settings, f->limits, NULL);
	finding_limits_options(&settings, buf, size);
	n = strlen(buf);
	if (settings.isolate)
		snprintf(buf + n, size - n, " --%s",
			settings_option(OPT_ISOLATE)->name);
	settings_clear(&settings);
}

void
rerun_path(const struct engine *e, const char *folder, char *buf, size_t size)
{
	char *real = realpath(engine_output_path(e), NULL);

	snprintf(buf, size, "%s%s%s",
		real != NULL ? real : engine_output_path(e),
		folder[0] != '\0' ? "/" : "", folder);
	free(real);
}

void
rerun_command(const struct engine *e, const struct finding *f, bool any,
	char *buf, size_t size)
{
	/* Too large for a small stack. */
	struct {
		char path[2 * PATH_MAX];
		char target[WORD_MAX], input[WORD_MAX];
	} *words = xmalloc(sizeof(*words));
	const size_t room = sizeof(words->path) - sizeof("/minimized");
	char options[256];

	text_quote_shown(any ? program_info(e)->path : program_path(e),
		words->target, sizeof(words->target));
	if (any)
		rerun_path(e, f->folder, words->path, room);
	else
		snprintf(words->path, room, "%s/%s", engine_output_path(e),
			f->folder);
	/* A folder stands for a whole sequence. */
	if (f->sequence_n < 2)
		stpcpy(words->path + strlen(words->path),
			triage_is_minimized(e, f) ? "/minimized" : "/input");
	text_quote_shown(words->path, words->input, sizeof(words->input));
	rerun_options(e, f, options, sizeof(options));
	snprintf(buf, size, "cfuzz repro%s %s %s", options, words->target,
		words->input);
	free(words);
}
