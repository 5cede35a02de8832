/* What is around the target: folders, rights, limits, its terminal. */
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "fault.h"

static void
around_chdir(const uint8_t *data, size_t size)
{
	UNUSED;
	fault_sink += (uint64_t)chdir("/");
	abort();
}

/* Only root can; others crash all the same. */
static void
around_chroot(const uint8_t *data, size_t size)
{
	UNUSED;
	fault_sink += (uint64_t)chroot("/proc/self/fdinfo");
	abort();
}

static void
around_umask(const uint8_t *data, size_t size)
{
	UNUSED;
	umask(0777);
	abort();
}

static void
around_limit(int what, rlim_t n)
{
	const struct rlimit limit = { n, n };

	setrlimit(what, &limit);
	abort();
}

FAULT(around_no_files, around_limit(RLIMIT_FSIZE, 0))
FAULT(around_no_descriptors, around_limit(RLIMIT_NOFILE, 3))

static void
around_other_user(const uint8_t *data, size_t size)
{
	UNUSED;
	fault_sink += (uint64_t)setuid(65534);
	abort();
}

/* A crash only if there is something to read, or a terminal. */
static void
around_reads(const uint8_t *data, size_t size)
{
	char c;

	UNUSED;
	if (read(0, &c, 1) != 0 || open("/dev/tty", O_RDWR) >= 0)
		abort();
}

/* A crash if more is open than the fuzzer needs to speak with it. */
static void
around_lists(const uint8_t *data, size_t size)
{
	char path[64], name[512], line[600];
	ssize_t len;

	UNUSED;
	for (int fd = 0; fd < 4096; fd++) {
		snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
		len = readlink(path, name, sizeof(name) - 1);
		if (len < 0)
			continue;
		name[len] = '\0';
		snprintf(line, sizeof(line), "%d %s", fd, name);
		probe_log("descriptors", line);
	}
}

const struct fault around_faults[] = {
	{ "chdir, crash", around_chdir, ON_F },
	{ "chroot, crash", around_chroot, ON_F },
	{ "umask 0777, crash", around_umask, ON_F },
	{ "no room for files, crash", around_no_files, ON_F },
	{ "no descriptors, crash", around_no_descriptors, ON_F },
	{ "another user, crash", around_other_user, ON_F },
	{ "reads standard input", around_reads, ON_F },
	{ "lists descriptors", around_lists, ON_F },
	{ NULL, NULL, ON_F },
};
