/* afl_binary: see afl_binary.h. */

#include "adapter/afl_binary.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#define AFL_BINARY_BLOCK 65536u
#define AFL_BINARY_OVERLAP 64u /* longer than each string */

enum afl_word {
	AFL_WORD_RUNTIME,
	AFL_WORD_DEFERRED,
	AFL_WORD_PERSISTENT,
	AFL_WORD_INPUT,
	AFL_WORD_SHMAT,
	AFL_WORD_SHM_OPEN,
	AFL_WORD_ASAN_LIBRARY,
	AFL_WORD_ASAN,
	AFL_WORD_MSAN,
	AFL_WORD_TSAN,
	AFL_WORD_LSAN,
	AFL_WORD_UBSAN,
	AFL_WORD_UBSAN_LIBRARY, /* gcc names only the handlers in use */
	AFL_WORD_N
};

/*
 * The strings without their first two characters, so that programs with this
 * table do not look like programs of AFL++ themselves.
 */
static const struct {
	const char *start, *rest;
} AFL_WORDS[AFL_WORD_N] = {
	[AFL_WORD_RUNTIME] = { "__", "AFL_SHM_ID" },
	[AFL_WORD_DEFERRED] = { "##", "SIG_AFL_DEFER_FORKSRV##" },
	[AFL_WORD_PERSISTENT] = { "##", "SIG_AFL_PERSISTENT##" },
	[AFL_WORD_INPUT] = { "__", "AFL_SHM_FUZZ_ID" },
	[AFL_WORD_SHMAT] = { "sh", "mat" },
	[AFL_WORD_SHM_OPEN] = { "sh", "m_open" },
	[AFL_WORD_ASAN_LIBRARY] = { "li", "basan.so." },
	[AFL_WORD_ASAN] = { "__", "asan_init" },
	[AFL_WORD_MSAN] = { "__", "msan_init" },
	[AFL_WORD_TSAN] = { "__", "tsan_init" },
	[AFL_WORD_LSAN] = { "__", "lsan_init" },
	[AFL_WORD_UBSAN] = { "__", "ubsan_handle_builtin_unreachable" },
	[AFL_WORD_UBSAN_LIBRARY] = { "li", "bubsan.so." },
};

/* Does the block hold the word, and not as the start of a longer name? */
static bool
afl_binary_has(const uint8_t *block, size_t len, enum afl_word word)
{
	const char *rest = AFL_WORDS[word].rest, *start = AFL_WORDS[word].start;
	const uint8_t *at = block, *end = block + len, *found;
	size_t n = strlen(rest);

	while ((found = memmem(at, (size_t)(end - at), rest, n)) != NULL) {
		if (found >= block + 2 && memcmp(found - 2, start, 2) == 0 &&
			(found + n == end || found[n] == '\0' ||
				found[n] == '@' || rest[n - 1] == '.'))
			return true;
		at = found + 1;
	}
	return false;
}

static size_t
afl_binary_read_block(int fd, uint64_t at, uint8_t *block)
{
	size_t len = 0;
	ssize_t n;

	while (len < AFL_BINARY_BLOCK) {
		n = pread(fd, block + len, AFL_BINARY_BLOCK - len,
			(off_t)(at + len));
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		len += (size_t)n;
	}
	return len;
}

static const char *
afl_binary_sanitizer(const bool found[AFL_WORD_N])
{
	if (found[AFL_WORD_ASAN])
		return "address";
	if (found[AFL_WORD_MSAN])
		return "memory";
	if (found[AFL_WORD_TSAN])
		return "thread";
	if (found[AFL_WORD_LSAN])
		return "leak";
	return found[AFL_WORD_UBSAN] || found[AFL_WORD_UBSAN_LIBRARY]
		? "undefined"
		: "";
}

void
afl_binary_read(int fd, uint64_t size, struct afl_binary *binary)
{
	uint64_t end = size < AFL_BINARY_READ_MAX ? size : AFL_BINARY_READ_MAX;
	uint8_t *block = malloc(AFL_BINARY_BLOCK);
	bool found[AFL_WORD_N] = { false };

	for (uint64_t at = 0; block != NULL && at < end;
		at += AFL_BINARY_BLOCK - AFL_BINARY_OVERLAP) {
		size_t len = afl_binary_read_block(fd, at, block);

		for (int word = 0; word < AFL_WORD_N; word++)
			found[word] = found[word] ||
				afl_binary_has(block, len, (enum afl_word)word);
		if (len < AFL_BINARY_BLOCK)
			break;
	}
	free(block);
	*binary = (struct afl_binary){
		.is_afl = found[AFL_WORD_RUNTIME],
		.deferred = found[AFL_WORD_DEFERRED],
		.persistent = found[AFL_WORD_PERSISTENT],
		.shared_input = found[AFL_WORD_INPUT],
		.posix = found[AFL_WORD_SHM_OPEN] && !found[AFL_WORD_SHMAT],
		.asan_library = found[AFL_WORD_ASAN_LIBRARY],
		.sanitizer = afl_binary_sanitizer(found),
	};
}
