/* recording: a recorded campaign, from whoever sends one. */
#include "ui/console/recording/recording.h"
#include "fuzz/fuzz.h"

int fuzz_recording(const uint8_t *data, size_t size);

int
fuzz_recording(const uint8_t *data, size_t size)
{
	static int fd = -1;
	struct recording_line line;
	struct recording *recording;
	struct error err = { 0 };
	static char path[64];

	if (path[0] == '\0')
		snprintf(path, sizeof(path), "/proc/self/fd/%d",
			fuzz_file(&fd, data, size));
	else
		fuzz_file(&fd, data, size);
	recording = recording_open(path, &err);
	if (recording == NULL) {
		FUZZ_CHECK(err.text[0] != '\0');
		return 0;
	}
	FUZZ_CHECK(recording_index(recording)->keys_n > 0);
	recording_go(recording, &recording_index(recording)->keys[0]);
	while (recording_next(recording, &line, &err) == OK &&
		line.json != NULL)
		FUZZ_CHECK(line.at_s <= recording_index(recording)->length_s);
	recording_close(recording);
	return 0;
}

FUZZ_TARGET(recording)
