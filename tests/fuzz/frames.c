/* frames: the stack of a finding, as crash.json of an earlier run has it. */
#include "findings/bucket.h"
#include "findings/names.h"
#include "fuzz/fuzz.h"

int fuzz_frames(const uint8_t *data, size_t size);

int
fuzz_frames(const uint8_t *data, size_t size)
{
	json_t *json =
		json_loadb((const char *)data, size, JSON_DECODE_ANY, NULL);
	struct failure failure = { .kind = FAILURE_SIGNAL, .what = "SIGSEGV" };
	struct symbols_answer *answer;
	char *stack, key[BUCKET_KEY_SIZE], where[256];

	if (json == NULL)
		return 0;
	answer = names_parse(&failure, json);
	FUZZ_CHECK(failure.frames_n <= FAILURE_FRAMES_MAX);
	bucket_key(&failure, answer, key, sizeof(key));
	names_spot(&failure, answer, where, sizeof(where));
	stack = names_stack(&failure, answer);
	json_decref(names_frames(&failure, answer));
	free(stack);
	symbols_answer_destroy(answer);
	json_decref(json);
	return 0;
}

FUZZ_TARGET(frames)
