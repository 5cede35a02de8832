/* finding: crash.json of an earlier run, for those who go on and those who look. */
#include "findings/finding.h"
#include "fuzz/fuzz.h"
#include "tools/show_finding.h"

int fuzz_finding(const uint8_t *data, size_t size);

static void
finding_fuzz_resume(const json_t *info)
{
	struct finding *f = finding_read(info);

	if (f == NULL)
		return;
	FUZZ_CHECK(f->failure.kind > FAILURE_NONE &&
		f->failure.kind < FAILURE_KIND_COUNT &&
		f->failure.frames_n <= FAILURE_FRAMES_MAX);
	FUZZ_CHECK(f->verdict < VERDICT_COUNT && f->first_s >= 0 &&
		f->last_s >= 0);
	finding_destroy(f);
}

static void
finding_fuzz_show(json_t *info)
{
	static char *no_args[] = { NULL };
	const struct archive_start start = { .args = no_args };
	struct archive_finding f = { .folder = "crashes/x", .info = info };
	const struct snapshot_finding *v = &f.view;
	json_t *shown;

	archive_finding_view(&f, "0123");
	FUZZ_CHECK(v->first_s >= 0 && v->last_s >= 0 && v->what[0] != '\0');
	FUZZ_CHECK(strspn(v->id, "0123456789abcdef") == strlen(v->id));
	shown = show_finding("/dev/null", &start, &f, NULL);
	FUZZ_CHECK(json_is_string(json_object_get(shown, "what")) &&
		json_is_array(json_object_get(shown, "frames")));
	json_decref(shown);
}

int
fuzz_finding(const uint8_t *data, size_t size)
{
	json_t *info = json_loadb((const char *)data, size, 0, NULL);

	if (json_is_object(info)) {
		finding_fuzz_resume(info);
		finding_fuzz_show(info);
	}
	json_decref(info);
	return 0;
}

FUZZ_TARGET(finding)
