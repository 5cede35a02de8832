/* view_finding: see view_finding.h. */
#include "engine/triage/view_finding.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/text.h"
#include "base/xmalloc.h"
#include "control/snapshot.h"
#include "engine/program.h"
#include "engine/triage/triage_needs.h"
#include "worker/target/elf.h"

void
view_finding_build(const char *id, char buf[FINDING_BUILD_SIZE])
{
	text_clean_string(id, buf, FINDING_BUILD_SIZE);
}

void
view_finding(struct engine *e, const struct finding *f,
	struct snapshot_finding *v)
{
	enum finding_standing standing = finding_standing(f->build,
		f->replays_build, f->reproduced, program_info(e)->build);

	snprintf(v->id, sizeof(v->id), "%s", f->id);
	snprintf(v->folder, sizeof(v->folder), "%.159s", f->folder);
	snprintf(v->kind, sizeof(v->kind), "%s",
		failure_kind_name(f->failure.kind));
	text_clean_string(f->failure.what, v->what, sizeof(v->what));
	text_clean_string(f->where, v->where, sizeof(v->where));
	text_clean_string(f->failure.text, v->text, sizeof(v->text));
	snprintf(v->state, sizeof(v->state), "%s",
		finding_verdict_name(f->verdict));
	v->count = f->count;
	v->first_s = f->first_s;
	v->last_s = f->last_s;
	v->len = f->file_len;
	if (triage_is_minimized(e, f))
		v->minimized_len = f->minimized_file_len;
	/* Until the last replay these counts are no verdict. */
	if (f->replays_build[0] != '\0') {
		v->replays = f->replays;
		v->reproduced = f->reproduced;
	}
	v->replays_before = f->replays_before;
	v->reproduced_before = f->reproduced_before;
	snprintf(v->standing, sizeof(v->standing), "%s",
		finding_standing_name(standing));
	view_finding_build(f->build, v->build);
	view_finding_build(f->replays_build, v->replays_build);
	v->minimizing = f->minimization != NULL;
	v->noted = f->note[0] != '\0';
	v->sequence = f->sequence_n;
}

void
view_finding_title(const struct finding *f, char *buf, size_t size)
{
	char *title = xasprintf("%s%s%s", f->failure.what,
		f->where[0] != '\0' ? " in " : "", f->where);

	text_clean_string(title, buf, size);
	free(title);
}
