/*
 * process_tree: see process_tree.h. The processes are stopped one by one until
 * no new one appears, because the target may fork without end. A killed process
 * leaves its children to this one, so the search repeats until none is left.
 */

#include "target/server/process_tree.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define PROCESS_TREE_MAX 4096
#define PROCESS_TREE_ROUNDS 1000
/* Entries of a folder read at once; the smallest takes 24 bytes. */
#define PROCESS_TREE_NUMBERS 128
#define PROCESS_TREE_ENTRY_MIN 24

struct process_tree_list {
	pid_t pids[PROCESS_TREE_MAX];
	size_t n;
};

/* One list is enough: the fork server does one thing at a time. */
static struct process_tree_list *
process_tree_list(void)
{
	static struct process_tree_list list;

	return &list;
}

void
process_tree_adopt(void)
{
	(void)prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
}

static bool
process_tree_has(const pid_t *pids, size_t n, pid_t pid)
{
	for (size_t i = 0; i < n; i++) {
		if (pids[i] == pid)
			return true;
	}
	return false;
}

static void
process_tree_add(struct process_tree_list *list, pid_t pid)
{
	if (pid > 1 && list->n < PROCESS_TREE_MAX &&
		!process_tree_has(list->pids, list->n, pid))
		list->pids[list->n++] = pid;
}

/* Adds the kernel's list of a thread's children; false: there is no list. */
static bool
process_tree_add_children(struct process_tree_list *list, pid_t pid,
	pid_t thread)
{
	char path[64], buf[16384];
	char *at = buf, *end;
	ssize_t len;
	long child;
	int fd;

	(void)snprintf(path, sizeof(path), "/proc/%d/task/%d/children",
		(int)pid, (int)thread);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	len = read(fd, buf, sizeof(buf) - 1);
	close(fd);
	buf[len > 0 ? len : 0] = '\0';
	for (;;) {
		child = strtol(at, &end, 10);
		if (end == at)
			return true;
		process_tree_add(list, (pid_t)child);
		at = end;
	}
}

/* State and parent stand behind the process name, which may have any
 * character. */
pid_t
process_tree_parent(pid_t pid, char *state)
{
	char path[64], buf[1024];
	const char *behind;
	ssize_t len;
	int fd;

	*state = 'X';
	(void)snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	len = read(fd, buf, sizeof(buf) - 1);
	close(fd);
	buf[len > 0 ? len : 0] = '\0';
	behind = strrchr(buf, ')');
	if (behind == NULL || strlen(behind) < 5)
		return 0;
	*state = behind[2];
	return (pid_t)strtol(behind + 4, NULL, 10);
}

struct process_tree_entry { /* struct linux_dirent64 */
	uint64_t inode, offset;
	uint16_t size;
	uint8_t type;
	char name[];
};

/*
 * Reads the next numbers in a folder of /proc; 0: no more. Allocates nothing,
 * because this may be a fork of a process with threads.
 */
static size_t
process_tree_read_numbers(int dir_fd, pid_t *numbers)
{
	_Alignas(8) char buf[PROCESS_TREE_NUMBERS * PROCESS_TREE_ENTRY_MIN];
	const struct process_tree_entry *entry;
	long len, at, number;
	size_t n = 0;

	while (n == 0) {
		len = syscall(SYS_getdents64, dir_fd, buf, sizeof(buf));
		if (len <= 0)
			return 0;
		for (at = 0; at < len; at += entry->size) {
			entry = (const void *)(buf + at);
			number = strtol(entry->name, NULL, 10);
			if (number > 0)
				numbers[n++] = (pid_t)number;
		}
	}
	return n;
}

/* For kernels without these lists: looks through all processes. */
static void
process_tree_add_by_parent(struct process_tree_list *list, pid_t parent)
{
	int fd = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	pid_t numbers[PROCESS_TREE_NUMBERS];
	size_t n;
	char state;

	if (fd < 0)
		return;
	while ((n = process_tree_read_numbers(fd, numbers)) > 0) {
		for (size_t i = 0; i < n; i++) {
			if (process_tree_parent(numbers[i], &state) == parent)
				process_tree_add(list, numbers[i]);
		}
	}
	close(fd);
}

/* Reads the list of each thread. */
static void
process_tree_add_all_children(struct process_tree_list *list, pid_t pid)
{
	pid_t numbers[PROCESS_TREE_NUMBERS];
	bool listed = false;
	char path[64];
	size_t n;
	int fd;

	(void)snprintf(path, sizeof(path), "/proc/%d/task", (int)pid);
	fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return;
	while ((n = process_tree_read_numbers(fd, numbers)) > 0) {
		for (size_t i = 0; i < n; i++)
			listed = process_tree_add_children(list, pid,
					 numbers[i]) ||
				listed;
	}
	close(fd);
	if (!listed)
		process_tree_add_by_parent(list, pid);
}

static void
process_tree_list_children(struct process_tree_list *list, pid_t pid)
{
	list->n = 0;
	process_tree_add_all_children(list, pid);
}

/* Stops the descendants until no new one is found. */
static void
process_tree_stop(struct process_tree_list *list,
	const struct process_tree_exempt_list *exempt)
{
	process_tree_list_children(list, getpid());
	for (size_t i = 0; i < list->n; i++) {
		pid_t pid = list->pids[i];

		if (exempt != NULL &&
			process_tree_has(exempt->pids, exempt->n, pid))
			continue;
		/* A stopped process has a fixed list of children. */
		(void)kill(pid, SIGSTOP);
		process_tree_add_all_children(list, pid);
	}
}

/* Reaps the dead. True if none but exempt processes are left. */
static bool
process_tree_is_alone(struct process_tree_list *list,
	const struct process_tree_exempt_list *exempt)
{
	siginfo_t info;
	size_t n = exempt != NULL ? exempt->n : 0;

	for (;;) {
		info.si_pid = 0;
		if (waitid(P_ALL, 0, &info, WEXITED | WNOHANG) != 0)
			return errno == ECHILD;
		if (info.si_pid == 0)
			break;
	}
	if (n == 0)
		return false;
	process_tree_list_children(list, getpid());
	for (size_t i = 0; i < list->n; i++) {
		if (!process_tree_has(exempt->pids, n, list->pids[i]))
			return false;
	}
	return true;
}

size_t
process_tree_count(pid_t pid)
{
	struct process_tree_list *list = process_tree_list();

	process_tree_list_children(list, pid);
	return list->n;
}

size_t
process_tree_files(pid_t pid)
{
	pid_t numbers[PROCESS_TREE_NUMBERS];
	size_t n, files = 0;
	char path[64];
	int fd;

	(void)snprintf(path, sizeof(path), "/proc/%d/fd", (int)pid);
	fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	while ((n = process_tree_read_numbers(fd, numbers)) > 0)
		files += n;
	close(fd);
	return files;
}

void
process_tree_exempt(struct process_tree_exempt_list *exempt)
{
	struct process_tree_list *list = process_tree_list();

	exempt->n = 0;
	process_tree_list_children(list, getpid());
	for (size_t i = 0; i < list->n && i < PROCESS_TREE_EXEMPT_MAX; i++)
		exempt->pids[exempt->n++] = list->pids[i];
}

static bool
process_tree_is_exempt(const struct process_tree_exempt_list *exempt, pid_t pid)
{
	return exempt != NULL && process_tree_has(exempt->pids, exempt->n, pid);
}

void
process_tree_kill(const struct process_tree_exempt_list *exempt)
{
	struct process_tree_list *list = process_tree_list();

	for (int round = 0; round < PROCESS_TREE_ROUNDS; round++) {
		if (process_tree_is_alone(list, exempt))
			return;
		process_tree_stop(list, exempt);
		for (size_t i = 0; i < list->n; i++) {
			if (!process_tree_is_exempt(exempt, list->pids[i]))
				(void)kill(list->pids[i], SIGKILL);
		}
		for (size_t i = 0; i < list->n; i++) {
			if (!process_tree_is_exempt(exempt, list->pids[i]))
				(void)waitpid(list->pids[i], NULL, 0);
		}
	}
}

/* Stops a process and its descendants; false: no descendant lives. */
static bool
process_tree_stop_tree(struct process_tree_list *list, pid_t root)
{
	pid_t self = getpid();
	bool lives = false;
	char state;

	(void)kill(root, SIGSTOP);
	process_tree_list_children(list, root);
	for (size_t i = 0; i < list->n; i++) {
		if (list->pids[i] == self)
			continue;
		(void)kill(list->pids[i], SIGSTOP);
		(void)process_tree_parent(list->pids[i], &state);
		lives = lives || (state != 'Z' && state != 'X');
		process_tree_add_all_children(list, list->pids[i]);
	}
	return lives;
}

void
process_tree_kill_tree(pid_t root)
{
	struct process_tree_list *list = process_tree_list();

	/* The root adopts orphans, so it is killed last. */
	for (int round = 0; round < PROCESS_TREE_ROUNDS; round++) {
		if (!process_tree_stop_tree(list, root))
			break;
		for (size_t i = 0; i < list->n; i++) {
			if (list->pids[i] != getpid())
				(void)kill(list->pids[i], SIGKILL);
		}
	}
	(void)kill(root, SIGKILL);
}
