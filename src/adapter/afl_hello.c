/* afl_hello: see afl_hello.h. */

#include "adapter/afl_hello.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

/* Bits of the old hello. */
#define AFL_OLD_ENABLED 0x80000001u
#define AFL_OLD_MAP_SIZE 0x40000000u
#define AFL_OLD_WORDS 0x10000000u
#define AFL_OLD_SHARED_INPUT 0x01000000u
/* Some versions set all of these and mean none. */
#define AFL_OLD_UNSURE 0x0f000000u
#define AFL_OLD_ERROR 0xf800008fu
#define AFL_OLD_MAP_DEFAULT 65536u
#define AFL_OLD_WORDS_MAX 0xffffffu

#define AFL_NEW_HELLO 0x41464c00u /* "AFL" and the version */
#define AFL_NEW_VERSION_MAX 1u
#define AFL_NEW_MAP_SIZE 1u
#define AFL_NEW_SHARED_INPUT 2u
#define AFL_NEW_WORDS 0x800u
#define AFL_NEW_KNOWN (AFL_NEW_MAP_SIZE | AFL_NEW_SHARED_INPUT | AFL_NEW_WORDS)
#define AFL_NEW_ERROR 0xeffe0000u

/* The program is gone: reaps it, and says how it ended. */
static enum status
afl_hello_ended(struct afl_server *s, struct error *err)
{
	char how[64] = "";
	int status;

	/* Otherwise we would wait for ever for a program that only closes the
	 * pipe. */
	(void)kill(s->pid, SIGKILL);
	if (waitpid(s->pid, &status, 0) == s->pid) {
		if (WIFEXITED(status))
			(void)snprintf(how, sizeof(how), " (exit status %d)",
				WEXITSTATUS(status));
		else if (WTERMSIG(status) != SIGKILL)
			(void)snprintf(how, sizeof(how), " (%s)",
				strsignal(WTERMSIG(status)));
	}
	s->pid = 0;
	return error_set(err, E_TARGET,
		"%s ended%s before it answered as a fork server of AFL++: run "
		"it by hand to see whether it starts",
		s->path, how);
}

static enum status
afl_hello_word(struct afl_server *s, uint32_t *word, struct error *err)
{
	struct error gone = { .code = OK };

	return afl_link_read(s, word, sizeof(*word), &gone) == OK
		? OK
		: afl_hello_ended(s, err);
}

/* The number and the name of an error that the program reports. */
static enum status
afl_hello_failed(const struct afl_server *s, unsigned code, struct error *err)
{
	static const struct {
		unsigned code;
		const char *text;
	} TEXTS[] = {
		{ 1,
			"its map of counters is larger than can be offered: "
			"instrument less of it (AFL_LLVM_ALLOWLIST)" },
		{ 2,
			"its map of counters has a fixed address that is taken: "
			"build it without AFL_LLVM_MAP_ADDR" },
		{ 4, "it cannot open the shared memory" },
		{ 8, "it cannot attach the shared memory" },
		{ 16, "it cannot map the shared memory" },
		{ 32,
			"it was built with an old CmpLog: build it again with a "
			"newer AFL++" },
		{ 64,
			"it was built with an old CmpLog: build it again with a "
			"newer AFL++" },
	};

	for (size_t i = 0; i < sizeof(TEXTS) / sizeof(TEXTS[0]); i++) {
		if (TEXTS[i].code == code)
			return error_set(err, E_TARGET, "%s does not start: %s",
				s->path, TEXTS[i].text);
	}
	return error_set(err, E_TARGET,
		"%s does not start: AFL++'s runtime in it reports error %u",
		s->path, code);
}

static enum status
afl_hello_set_map(struct afl_server *s, uint32_t size, struct error *err)
{
	if (size == 0 || size > s->map.size)
		return error_set(err, E_TARGET,
			"%s needs a map of %u counters, %zu are the most: "
			"instrument less of it (AFL_LLVM_ALLOWLIST)",
			s->path, size, s->map.size);
	s->map_size = size;
	return OK;
}

/* A dictionary; what the program says of its length is bounded. */
static enum status
afl_hello_words(struct afl_server *s, uint32_t max, struct error *err)
{
	uint32_t len;

	if (afl_hello_word(s, &len, err) != OK)
		return err->code;
	if (len < 2 || len > max || len > AFL_SERVER_WORDS_MAX)
		return error_set(err, E_TARGET,
			"%s announces a dictionary of %u bytes, which makes no "
			"sense: build it again with afl-clang-fast",
			s->path, len);
	s->words = malloc(len);
	if (s->words == NULL)
		return error_set(err, E_NOMEM, "no memory for a dictionary");
	s->words_len = len;
	return afl_link_read(s, s->words, len, err);
}

static enum status
afl_hello_old(struct afl_server *s, uint32_t hello, struct error *err)
{
	uint32_t answer;

	s->map_size = AFL_OLD_MAP_DEFAULT;
	if ((hello & AFL_OLD_ENABLED) != AFL_OLD_ENABLED)
		return OK; /* the first AFL */
	if ((hello & AFL_OLD_UNSURE) == AFL_OLD_UNSURE)
		hello &= ~AFL_OLD_UNSURE;
	if ((hello & AFL_OLD_MAP_SIZE) &&
		afl_hello_set_map(s, ((hello & 0x00fffffeu) >> 1) + 1, err) !=
			OK)
		return err->code;
	answer = hello & (AFL_OLD_SHARED_INPUT | AFL_OLD_WORDS);
	if (answer == 0)
		return OK;
	s->shared_input = (answer & AFL_OLD_SHARED_INPUT) != 0;
	if (afl_link_write(s, answer | AFL_OLD_ENABLED, err) != OK)
		return err->code;
	return (answer & AFL_OLD_WORDS)
		? afl_hello_words(s, AFL_OLD_WORDS_MAX, err)
		: OK;
}

static enum status
afl_hello_nonsense(const struct afl_server *s, uint32_t word, struct error *err)
{
	return error_set(err, E_TARGET,
		"%s answers 0x%08x, which no fork server of AFL++ says: build "
		"it again with afl-clang-fast",
		s->path, word);
}

/* Options, then for some of them a value, in the order of their bits. */
static enum status
afl_hello_options(struct afl_server *s, struct error *err)
{
	uint32_t options, size;

	if (afl_hello_word(s, &options, err) != OK)
		return err->code;
	if ((options & 0xffff0000u) == AFL_NEW_ERROR)
		return afl_hello_failed(s, options & 0xffffu, err);
	if (!(options & AFL_NEW_MAP_SIZE) || (options & 0x7f000000u) != 0)
		return afl_hello_nonsense(s, options, err);
	if (afl_hello_word(s, &size, err) != OK ||
		afl_hello_set_map(s, size, err) != OK)
		return err->code;
	s->shared_input = (options & AFL_NEW_SHARED_INPUT) != 0;
	return (options & AFL_NEW_WORDS)
		? afl_hello_words(s, AFL_SERVER_WORDS_MAX, err)
		: OK;
}

static enum status
afl_hello_new(struct afl_server *s, uint32_t hello, struct error *err)
{
	uint32_t end;

	s->version = hello & 0xffu;
	if (s->version == 0 || s->version > AFL_NEW_VERSION_MAX)
		return error_set(err, E_TARGET,
			"%s speaks version %u of AFL++'s fork-server protocol, "
			"this cfuzz version %u: build it with an AFL++ of that "
			"version",
			s->path, s->version, AFL_NEW_VERSION_MAX);
	if (afl_link_write(s, ~hello, err) != OK ||
		afl_hello_options(s, err) != OK ||
		afl_hello_word(s, &end, err) != OK)
		return err->code;
	return end == hello ? OK : afl_hello_nonsense(s, end, err);
}

enum status
afl_hello(struct afl_server *s, struct error *err)
{
	uint32_t hello;

	if (afl_hello_word(s, &hello, err) != OK)
		return err->code;
	if ((hello & ~0xffu) == AFL_NEW_HELLO)
		return afl_hello_new(s, hello, err);
	if ((hello & 0xffff0000u) == AFL_NEW_ERROR)
		return afl_hello_failed(s, hello & 0xffffu, err);
	if ((hello & AFL_OLD_ERROR) == AFL_OLD_ERROR)
		return afl_hello_failed(s, (hello & 0x00ffff00u) >> 8, err);
	if (hello != 0 && (hello & AFL_OLD_ENABLED) != AFL_OLD_ENABLED)
		return afl_hello_nonsense(s, hello, err);
	return afl_hello_old(s, hello, err);
}
