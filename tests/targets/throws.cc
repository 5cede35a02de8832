/*
 * A target that throws exceptions and catches them; with a 'w' once SIGUSR1 has
 * come. With a 'k' it crashes then, with an 'n' at once. FLAGS: -fno-inline
 */
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

static volatile sig_atomic_t going_on;
static volatile unsigned sum;
static int *volatile nowhere;

static void
throws_go_on(int)
{
	going_on = 1;
}

static void
throws_wait()
{
	signal(SIGUSR1, throws_go_on);
	while (!going_on)
		sum = sum + 1;
}

static void
throws_refuse(const std::string &text)
{
	std::string copy = text + "?";

	if (text[0] == 'w' || text[0] == 'k')
		throws_wait();
	if (text[0] == 'k' || text[0] == 'n')
		*nowhere = 1;
	throw std::invalid_argument(copy);
}

/* Frames that an exception leaves, and that clean up. */
static void
throws_read(const std::string &text, int depth)
{
	std::string copy = text + "!";

	if (depth > 0)
		throws_read(text, depth - 1);
	else
		throws_refuse(text);
	sum = sum + (unsigned)copy.size();
}

static bool
throws_try(const std::string &text)
{
	try {
		throws_read(text, 15);
	} catch (const std::exception &e) {
		return e.what()[0] == text[0];
	}
	return false;
}

extern "C" int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const std::string text((const char *)data, size);

	if (size == 0)
		return 0;
	if (!throws_try(text))
		__builtin_trap();
	return 0;
}
