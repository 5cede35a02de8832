/* stats: stats.json of an earlier run, for those who go on and those who look. */
#include <math.h>

#include "findings/finding.h"
#include "fuzz/fuzz.h"
#include "store/store_private.h"
#include "tools/archive_config.h"
#include "ui/console/summary.h"

int fuzz_stats(const uint8_t *data, size_t size);

static void
stats_fuzz_resume(json_t *stats)
{
	struct store_past past = { .stats = stats };
	const json_t *left = json_object_get(stats, "suspects_left");
	char input[FINDING_INPUT_SIZE];

	store_past_read(&past);
	FUZZ_CHECK(isfinite(past.elapsed_s) && past.elapsed_s >= 0);
	for (size_t i = 0; i < json_array_size(left); i++) {
		struct finding *f =
			finding_read_suspect(json_array_get(left, i), input);

		FUZZ_CHECK(f == NULL || strlen(input) == sizeof(input) - 1);
		finding_destroy(f);
	}
}

static void
stats_fuzz_limits(const json_t *stats)
{
	struct settings settings;

	settings_init(&settings);
	archive_take_limits(&settings, stats);
	settings_clear(&settings);
}

static void
stats_fuzz_summary(const json_t *stats)
{
	static FILE *nowhere;
	struct snapshot snapshot;

	if (nowhere == NULL)
		nowhere = fopen("/dev/null", "w");
	FUZZ_CHECK(nowhere != NULL);
	snapshot_init(&snapshot);
	if (snapshot_decode(&snapshot, stats, NULL) == OK)
		summary_write(nowhere, &snapshot, "out", 0);
	snapshot_clear(&snapshot);
}

int
fuzz_stats(const uint8_t *data, size_t size)
{
	json_t *stats = json_loadb((const char *)data, size, 0, NULL);

	if (json_is_object(stats)) {
		stats_fuzz_resume(stats);
		stats_fuzz_limits(stats);
		stats_fuzz_summary(stats);
	}
	json_decref(stats);
	return 0;
}

FUZZ_TARGET(stats)
