/* proc_memory: see proc_memory.h. */
#include "worker/proc_memory.h"

#include <dirent.h>
#include <linux/kcmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/rlimits.h"
#include "base/xmalloc.h"
#include "worker/proc.h"
#include "worker/proc_private.h"

#define PROC_FAMILY_MAX 1024
#define PROC_NO_PARENT SIZE_MAX

/* Pages, from /proc/PID/statm. */
struct proc_pages {
	unsigned long size, resident, shared;
};

struct proc_member {
	pid_t pid;
	struct proc_pages pages;
	size_t parent; /* its index in the family, or PROC_NO_PARENT */
};

/* The processes that are measured together, each of them once. */
struct proc_family {
	struct proc_member members[PROC_FAMILY_MAX];
	size_t n;
};

static void
proc_family_add(struct proc_memory *m, pid_t pid, size_t parent)
{
	struct proc_family *family = m->family;
	size_t i;

	if (pid <= 1 || family->n == PROC_FAMILY_MAX)
		return;
	for (i = 0; i < m->exempt_n; i++)
		if (m->exempt[i] == pid)
			return;
	for (i = 0; i < family->n; i++)
		if (family->members[i].pid == pid)
			return;
	family->members[family->n++] =
		(struct proc_member){ .pid = pid, .parent = parent };
}

static void
proc_family_add_file(struct proc_memory *m, int children_fd, size_t parent)
{
	pid_t children[PROC_FAMILY_MAX];
	size_t i, n;

	(void)proc_read_children(children_fd, children, PROC_FAMILY_MAX, &n);
	for (i = 0; i < n; i++)
		proc_family_add(m, children[i], parent);
}

static void
proc_family_add_thread(struct proc_memory *m, pid_t pid, pid_t thread,
	size_t parent)
{
	char name[64];
	int fd;

	snprintf(name, sizeof(name), "task/%d/children", (int)thread);
	fd = proc_open(pid, name);
	if (fd < 0)
		return;
	proc_family_add_file(m, fd, parent);
	close(fd);
}

/* Each thread has its own list of children. */
static void
proc_family_add_threads(struct proc_memory *m, pid_t pid, size_t parent)
{
	const struct dirent *entry;
	char path[64];
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%d/task", (int)pid);
	dir = opendir(path);
	if (dir == NULL)
		return;
	while ((entry = readdir(dir)) != NULL) {
		long thread = strtol(entry->d_name, NULL, 10);

		if (thread > 0)
			proc_family_add_thread(m, pid, (pid_t)thread, parent);
	}
	closedir(dir);
}

/*
 * Nearly all expected processes have one thread: then the open list is enough.
 */
static void
proc_family_add_expected_children(struct proc_memory *m, size_t i)
{
	struct stat st;

	if (m->children_fd >= 0 && m->task_fd >= 0 &&
		fstat(m->task_fd, &st) == 0 && st.st_nlink == 2 + 1)
		proc_family_add_file(m, m->children_fd, i);
	else
		proc_family_add_threads(m, m->family->members[i].pid, i);
}

/* A fork server has one thread. */
static void
proc_family_add_siblings(struct proc_memory *m)
{
	if (m->fork_server_fd >= 0)
		proc_family_add_file(m, m->fork_server_fd, PROC_NO_PARENT);
	else
		proc_family_add_threads(m, m->fork_server, PROC_NO_PARENT);
}

static bool
proc_parse_statm(const char *statm, struct proc_pages *pages)
{
	return sscanf(statm, "%lu %lu %lu", &pages->size, &pages->resident,
		       &pages->shared) == 3;
}

static uint64_t
proc_field(const char *status, const char *name)
{
	const char *at = strstr(status, name);

	return at == NULL ? 0 : strtoul(at + strlen(name), NULL, 10);
}

/* Slow: the kernel formats fifty lines of text. */
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

/* Resident pages that are not shared: RssAnon, if nothing is swapped out. */
static uint64_t
proc_pages_kb(const struct proc_pages *pages, pid_t pid, bool swaps)
{
	if (swaps)
		return proc_rss_and_swap_kb(pid);
	if (pages->shared > pages->resident)
		return 0;
	return (pages->resident - pages->shared) *
		(uint64_t)sysconf(_SC_PAGESIZE) >>
		10;
}

/*
 * A vfork()ed process shares the memory of its parent until it calls exec:
 * count that memory once.
 */
static bool
proc_shares_memory(const struct proc_family *family,
	const struct proc_member *member)
{
	const struct proc_member *parent;

	if (member->parent == PROC_NO_PARENT)
		return false;
	parent = &family->members[member->parent];
	return memcmp(&member->pages, &parent->pages, sizeof(member->pages)) ==
		0 &&
		syscall(SYS_kcmp, member->pid, parent->pid, KCMP_VM, 0ul,
			0ul) == 0;
}

static uint64_t
proc_member_kb(struct proc_family *family, size_t i, bool swaps)
{
	struct proc_member *member = &family->members[i];
	char statm[256];

	if (!proc_read(member->pid, "statm", statm, sizeof(statm)) ||
		!proc_parse_statm(statm, &member->pages) ||
		proc_shares_memory(family, member))
		return 0;
	return proc_pages_kb(&member->pages, member->pid, swaps);
}

/* Beyond half of the limit no more are kept open: others need them. */
static int
proc_keep(int take_fd)
{
	if (take_fd < 0 || rlimits_can_spare(2 * take_fd))
		return take_fd;
	close(take_fd);
	return -1;
}

void
proc_memory_init(struct proc_memory *m)
{
	*m = (struct proc_memory){
		.fork_server_fd = -1,
		.statm_fd = -1,
		.children_fd = -1,
		.task_fd = -1,
	};
}

void
proc_memory_open(struct proc_memory *m, pid_t fork_server)
{
	size_t i;

	proc_memory_close(m);
	m->fork_server = fork_server;
	m->family = xcalloc(1, sizeof(*m->family));
	proc_family_add_threads(m, fork_server, PROC_NO_PARENT);
	for (i = 0; i < m->family->n &&
		i < sizeof(m->exempt) / sizeof(m->exempt[0]);
		i++)
		m->exempt[i] = m->family->members[i].pid;
	m->exempt_n = i;
	m->fork_server_fd = proc_keep(proc_open_children(fork_server));
}

static void
proc_memory_expect(struct proc_memory *m, pid_t pid)
{
	fd_close(&m->statm_fd);
	fd_close(&m->children_fd);
	fd_close(&m->task_fd);
	m->pid = pid;
	m->statm_fd = proc_keep(proc_open(pid, "statm"));
	m->children_fd = proc_keep(proc_open_children(pid));
	m->task_fd = proc_keep(proc_open(pid, "task"));
}

void
proc_memory_close(struct proc_memory *m)
{
	fd_close(&m->fork_server_fd);
	fd_close(&m->statm_fd);
	fd_close(&m->children_fd);
	fd_close(&m->task_fd);
	free(m->family);
	proc_memory_init(m);
}

/*
 * Measures the expected process through its open files. They belong to the
 * process that they were opened for, not to a later one with the same pid.
 */
static uint64_t
proc_expected_kb(struct proc_memory *m, size_t i, bool swaps)
{
	struct proc_member *member = &m->family->members[i];
	char statm[256];

	if (m->pid != member->pid || m->statm_fd < 0 ||
		!proc_read_fd(m->statm_fd, statm, sizeof(statm)))
		proc_memory_expect(m, member->pid);
	else if (proc_parse_statm(statm, &member->pages))
		return proc_pages_kb(&member->pages, member->pid, swaps);
	return proc_member_kb(m->family, i, swaps);
}

/* The expected process may be the child of an exempt one. */
static void
proc_family_add_expected(struct proc_memory *m, pid_t pid)
{
	for (size_t i = 0; i < m->family->n; i++)
		if (m->family->members[i].pid == pid)
			return;
	if (proc_is_descendant(pid, m->fork_server))
		proc_family_add(m, pid, PROC_NO_PARENT);
}

uint64_t
proc_memory_kb(struct proc_memory *m, pid_t pid)
{
	bool swaps = proc_swaps(), expected;
	uint64_t kb = 0, own;
	size_t i;

	if (m->fork_server == 0)
		return 0;
	m->family->n = 0;
	if (pid == m->fork_server)
		proc_family_add(m, pid, PROC_NO_PARENT);
	else
		proc_family_add_siblings(m);
	proc_family_add_expected(m, pid);
	for (i = 0; i < m->family->n; i++) {
		struct proc_member *member = &m->family->members[i];

		/* The children of the fork server are siblings. */
		expected = member->pid == pid;
		own = expected ? proc_expected_kb(m, i, swaps)
			       : proc_member_kb(m->family, i, swaps);
		if (expected && own == 0)
			return 0;
		kb += own;
		if (expected)
			proc_family_add_expected_children(m, i);
		else
			proc_family_add_threads(m, member->pid, i);
	}
	return kb;
}
