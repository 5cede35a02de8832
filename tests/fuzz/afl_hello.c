/*
 * afl_hello: what a program of AFL++ says before its first run: versions, sizes,
 * a dictionary.
 */
#include <fcntl.h>

#include "adapter/afl_hello.h"
#include "adapter/afl_server.h"
#include "fuzz/fuzz.h"

int fuzz_afl_hello(const uint8_t *data, size_t size);

#define AFL_FUZZ_MAP 4096u

static void
afl_hello_fuzz_words(const struct afl_server *server)
{
	uint8_t room[300];
	size_t at = 0;
	uint32_t n = afl_server_words(server, room, sizeof(room)), len;

	for (; n > 0; n--) {
		FUZZ_CHECK(at + sizeof(len) <= sizeof(room));
		memcpy(&len, room + at, sizeof(len));
		at += sizeof(len) + len;
		FUZZ_CHECK(at <= sizeof(room));
	}
}

int
fuzz_afl_hello(const uint8_t *data, size_t size)
{
	static int file = -1, nowhere = -1;
	/* No process has this number. */
	struct afl_server server = { .pid = INT32_MAX,
		.path = "program",
		.map.size = AFL_FUZZ_MAP };
	struct error err = { 0 };

	if (nowhere < 0)
		nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
	server.status_fd = fuzz_file(&file, data, size);
	server.command_fd = nowhere;
	FUZZ_CHECK(lseek(file, 0, SEEK_SET) == 0);
	if (afl_hello(&server, &err) == OK) {
		FUZZ_CHECK(server.map_size > 0);
		afl_hello_fuzz_words(&server);
	} else {
		FUZZ_CHECK(err.code != OK && err.text[0] != '\0');
	}
	free(server.words);
	return 0;
}

FUZZ_TARGET(afl_hello)
