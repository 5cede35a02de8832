/* elf: the note by which a target is known, in a file that may be anything. */
#include "worker/target/elf.h"
#include "fuzz/fuzz.h"

int fuzz_elf(const uint8_t *data, size_t size);

int
fuzz_elf(const uint8_t *data, size_t size)
{
	static int fd = -1;
	struct target_info info = { 0 };
	struct error err = { 0 };
	char path[64];

	snprintf(path, sizeof(path), "/proc/self/fd/%d",
		fuzz_file(&fd, data, size));
	if (target_check(path, &info, &err) != OK)
		FUZZ_CHECK(err.text[0] != '\0');
	target_info_clear(&info);
	return 0;
}

FUZZ_TARGET(elf)
