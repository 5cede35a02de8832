/* snapshot: what the console shows, as it comes from an engine or a recording. */
#include "control/snapshot.h"
#include "fuzz/fuzz.h"

int fuzz_snapshot(const uint8_t *data, size_t size);

int
fuzz_snapshot(const uint8_t *data, size_t size)
{
	struct snapshot snapshot, again;
	struct error err = { 0 };
	json_t *json = json_loadb((const char *)data, size, 0, NULL), *back;

	if (json == NULL)
		return 0;
	snapshot_init(&snapshot);
	snapshot_init(&again);
	if (snapshot_decode(&snapshot, json, &err) == OK) {
		back = snapshot_encode(&snapshot);
		FUZZ_CHECK(back != NULL);
		FUZZ_CHECK(snapshot_decode(&again, back, &err) == OK);
		FUZZ_CHECK(again.workers_n == snapshot.workers_n &&
			again.findings_n == snapshot.findings_n);
		json_decref(back);
	}
	snapshot_clear(&snapshot);
	snapshot_clear(&again);
	json_decref(json);
	return 0;
}

FUZZ_TARGET(snapshot)
