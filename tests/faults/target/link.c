/* The descriptors by which the fuzzer speaks with the target. */
#include <sys/stat.h>
#include <sys/syscall.h>

#include "fault.h"

static void
link_close(const uint8_t *data, size_t size)
{
	UNUSED;
	for (int fd = 0; fd < 1024; fd++)
		close(fd);
}

FAULT(link_close_range, syscall(SYS_close_range, 3, ~0u, 0))

static void
link_write(int first, const char *text, size_t len)
{
	struct stat st;

	for (int fd = first; fd < 4096; fd++)
		if (fstat(fd, &st) == 0 &&
			(S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode)))
			fault_sink += (uint64_t)write(fd, text, len);
}

static void
link_junk(const uint8_t *data, size_t size)
{
	UNUSED;
	for (int fd = 3; fd < 1024; fd++)
		fault_sink += (uint64_t)write(fd, "\n!!\377{}\n[[[", 11);
}

static void
link_brackets(const uint8_t *data, size_t size)
{
	static char much[1 << 16];

	UNUSED;
	memset(much, '[', sizeof(much));
	for (int i = 0; i < 1024; i++)
		link_write(3, much, sizeof(much));
}

static void
link_forged(const uint8_t *data, size_t size)
{
	static const char *const replies[] = {
		"{\"FuzzResponse\":{\"Count\":99999999,\"Err\":\"forged\"}}\n",
		"{\"fuzz\":{\"count\":99999999,\"err\":\"forged\"}}\n",
		"{\"reply\":{\"id\":1,\"count\":99999999}}\n",
		"{}\n",
	};

	UNUSED;
	for (size_t i = 0; i < sizeof(replies) / sizeof(replies[0]); i++)
		link_write(3, replies[i], strlen(replies[i]));
}

static void
link_half(const uint8_t *data, size_t size)
{
	UNUSED;
	link_write(3, "{\"fuzz\":{\"cou", 13);
	probe_wait_for_ever();
}

/* Eats what is meant for others. */
static void
link_read(const uint8_t *data, size_t size)
{
	char buf[4096];
	struct stat st;

	UNUSED;
	for (int fd = 3; fd < 4096; fd++)
		if (fstat(fd, &st) == 0 && S_ISFIFO(st.st_mode)) {
			fcntl(fd, F_SETFL, O_NONBLOCK);
			fault_sink += (uint64_t)read(fd, buf, sizeof(buf));
		}
}

static void
link_flood(const uint8_t *data, size_t size)
{
	static char line[1 << 16];

	UNUSED;
	memset(line, 'x', sizeof(line));
	for (int i = 0; i < 128; i++) {
		fault_sink += (uint64_t)write(1, line, sizeof(line));
		fault_sink += (uint64_t)write(2, line, sizeof(line));
	}
}

static void
link_escapes(const uint8_t *data, size_t size)
{
	static const char text[] =
		"\033]0;owned\007\033[2J\033[6n\033P1;2\033\\"
		"\302\205\342\200\256\2331m\n";

	UNUSED;
	fault_sink += (uint64_t)write(1, text, sizeof(text) - 1);
	fault_sink += (uint64_t)write(2, text, sizeof(text) - 1);
}

static void
link_escapes_then_crash(const uint8_t *data, size_t size)
{
	link_escapes(data, size);
	abort();
}

static void
link_junk_at_start(const uint8_t *data, size_t size)
{
	link_junk(data, size);
	probe_wait_for_ever();
}

const struct fault link_faults[] = {
	{ "closes 0 to 1023", link_close, ON_F },
	{ "closes all from 3 on", link_close_range, ON_F },
	{ "junk on all descriptors", link_junk, ON_F },
	{ "64 MiB of brackets", link_brackets, ON_F },
	{ "forged replies", link_forged, ON_F },
	{ "half a reply", link_half, ON_F },
	{ "reads the fuzzer's pipes", link_read, ON_F },
	{ "8 MiB of output", link_flood, ON_EACH },
	{ "escapes in the output", link_escapes, ON_EACH },
	{ "escapes and a crash", link_escapes_then_crash, ON_F },
	{ "junk at the start", link_junk_at_start, AT_START },
	{ NULL, NULL, ON_F },
};
