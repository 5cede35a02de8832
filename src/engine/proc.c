/* proc: see proc.h. */
#include "engine/proc.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#define PROC_CHILDREN_MAX 64
#define PROC_SPARE_FILES 64 /* so many descriptors are left for others */

/* ---- one file ----------------------------------------------------------- */

static int
proc_open(pid_t pid, const char *name)
{
	char path[96];

	snprintf(path, sizeof(path), "/proc/%d/%s", (int)pid, name);
	return open(path, O_RDONLY | O_CLOEXEC);
}

/* From its beginning, as much as there is room for; false: it is gone. */
static bool
proc_read_fd(int fd, char *buf, size_t size)
{
	ssize_t len = pread(fd, buf, size - 1, 0);

	buf[len > 0 ? len : 0] = '\0';
	return len > 0;
}

static bool
proc_read(pid_t pid, const char *name, char *buf, size_t size)
{
	int fd = proc_open(pid, name);
	bool found;

	if (fd < 0)
		return false;
	found = proc_read_fd(fd, buf, size);
	close(fd);
	return found;
}

/* ---- times and relations ------------------------------------------------ */

/* The fields of /proc/PID/stat behind the name, which may hold anything. */
bool
proc_times(pid_t pid, struct proc_times *times)
{
	unsigned long user, system;
	long ended_user, ended_system;
	char buf[1024], *at;
	int parent;

	if (!proc_read(pid, "stat", buf, sizeof(buf)))
		return false;
	at = strrchr(buf, ')');
	if (at == NULL ||
		sscanf(at + 1,
			" %c %d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu "
			"%ld %ld",
			&times->state, &parent, &user, &system, &ended_user,
			&ended_system) != 6)
		return false;
	times->parent = parent;
	times->cpu_ticks =
		user + system + (unsigned long)(ended_user + ended_system);
	return true;
}

bool
proc_is_child(pid_t pid, pid_t parent)
{
	struct proc_times times;

	return pid > 1 && proc_times(pid, &times) && times.parent == parent &&
		times.state != 'Z';
}

static size_t
proc_parse_children(const char *text, pid_t *children, size_t max)
{
	const char *at = text;
	size_t n = 0;
	char *end;
	long child;

	while (n < max) {
		child = strtol(at, &end, 10);
		if (end == at)
			break;
		children[n++] = (pid_t)child;
		at = end;
	}
	return n;
}

static int
proc_open_children(pid_t pid)
{
	char name[64];

	snprintf(name, sizeof(name), "task/%d/children", (int)pid);
	return proc_open(pid, name);
}

size_t
proc_children(pid_t pid, pid_t *children, size_t max)
{
	int fd = proc_open_children(pid);
	char buf[4096];
	size_t n = 0;

	if (fd >= 0 && proc_read_fd(fd, buf, sizeof(buf)))
		n = proc_parse_children(buf, children, max);
	if (fd >= 0)
		close(fd);
	return n;
}

/* ---- memory ------------------------------------------------------------- */

/* What is resident and not shared: RssAnon, where nothing is swapped out. */
static uint64_t
proc_parse_statm(const char *statm)
{
	unsigned long resident, shared;

	if (sscanf(statm, "%*u %lu %lu", &resident, &shared) != 2 ||
		shared > resident)
		return 0;
	return (resident - shared) * (uint64_t)sysconf(_SC_PAGESIZE) >> 10;
}

static uint64_t
proc_field(const char *status, const char *name)
{
	const char *at = strstr(status, name);

	return at == NULL ? 0 : strtoul(at + strlen(name), NULL, 10);
}

/* The long way: the kernel makes fifty lines of text of it. */
static uint64_t
proc_rss_and_swap_kb(pid_t pid)
{
	char status[4096];

	if (!proc_read(pid, "status", status, sizeof(status)))
		return 0;
	return proc_field(status, "\nRssAnon:") +
		proc_field(status, "\nVmSwap:");
}

static bool
proc_swaps(void)
{
	struct sysinfo machine;

	return sysinfo(&machine) != 0 || machine.freeswap != machine.totalswap;
}

static uint64_t
proc_own_kb(pid_t pid)
{
	char statm[256];

	if (proc_swaps())
		return proc_rss_and_swap_kb(pid);
	return proc_read(pid, "statm", statm, sizeof(statm))
		? proc_parse_statm(statm)
		: 0;
}

void
proc_memory_init(struct proc_memory *memory)
{
	*memory = (struct proc_memory){ .statm_fd = -1, .children_fd = -1 };
}

void
proc_memory_close(struct proc_memory *memory)
{
	if (memory->statm_fd >= 0)
		close(memory->statm_fd);
	if (memory->children_fd >= 0)
		close(memory->children_fd);
	proc_memory_init(memory);
}

/* Descriptors are few where workers are many: the last ones are not kept. */
static bool
proc_may_keep(int fd)
{
	struct rlimit limit;

	return getrlimit(RLIMIT_NOFILE, &limit) == 0 &&
		(rlim_t)fd + PROC_SPARE_FILES < limit.rlim_cur;
}

static bool
proc_memory_open(struct proc_memory *memory, pid_t pid)
{
	memory->pid = pid;
	memory->statm_fd = proc_open(pid, "statm");
	memory->children_fd = proc_open_children(pid);
	return memory->statm_fd >= 0;
}

/* The files are of the process that they were opened for, and of no later one
 * with its number. */
static uint64_t
proc_memory_read(const struct proc_memory *memory)
{
	pid_t children[PROC_CHILDREN_MAX];
	char buf[4096];
	uint64_t kb;
	size_t i, n;

	if (!proc_read_fd(memory->statm_fd, buf, sizeof(buf)))
		return 0;
	kb = proc_swaps() ? proc_rss_and_swap_kb(memory->pid)
			  : proc_parse_statm(buf);
	if (kb == 0 || memory->children_fd < 0 ||
		!proc_read_fd(memory->children_fd, buf, sizeof(buf)))
		return kb;
	n = proc_parse_children(buf, children, PROC_CHILDREN_MAX);
	for (i = 0; i < n; i++)
		kb += proc_own_kb(children[i]);
	return kb;
}

uint64_t
proc_memory_kb(struct proc_memory *memory, pid_t pid)
{
	uint64_t kb = 0;

	if (memory->pid == pid)
		kb = proc_memory_read(memory);
	if (kb > 0)
		return kb;
	/* Another one, perhaps with the same number. */
	proc_memory_close(memory);
	if (proc_memory_open(memory, pid))
		kb = proc_memory_read(memory);
	if (kb == 0 || !proc_may_keep(memory->statm_fd) ||
		!proc_may_keep(memory->children_fd))
		proc_memory_close(memory);
	return kb;
}
