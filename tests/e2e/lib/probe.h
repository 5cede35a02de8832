/*
 * probe: what a target of the end-to-end tests tells its test, beside the
 * engine. Everything lies in the folder that PROBE names, so it survives the
 * death of the process at once.
 */
#ifndef PROBE_H
#define PROBE_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* newer compilers refuse what is not declared */
#endif
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cfuzz.h"

/* Bookkeeping is no part of the target's own code. */
#ifdef __clang__
#define PROBE __attribute__((unused, no_sanitize("coverage"))) static
#else
#define PROBE __attribute__((unused, no_sanitize_coverage)) static
#endif

PROBE int
probe_open(const char *name, int flags)
{
	const char *dir = getenv("PROBE");
	char path[4096];

	if (dir == NULL)
		return -1;
	snprintf(path, sizeof(path), "%s/%s", dir, name);
	return open(path, flags | O_CREAT | O_CLOEXEC, 0600);
}

/* Memory that this process shares with the engine, by its name; NULL: none. */
PROBE uint8_t *
probe_memory(const char *name, size_t *size)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	unsigned long from, to;
	uint8_t *memory = NULL;
	char line[512];

	while (maps != NULL && memory == NULL &&
		fgets(line, sizeof(line), maps) != NULL)
		if (strstr(line, name) != NULL &&
			sscanf(line, "%lx-%lx", &from, &to) == 2) {
			memory = (uint8_t *)from;
			*size = to - from;
		}
	if (maps != NULL)
		fclose(maps);
	return memory;
}

/* A number that all processes of the run share; it lives in a file. */
PROBE uint64_t *
probe_number(const char *name)
{
	static uint64_t nowhere;
	void *map = MAP_FAILED;
	int fd = probe_open(name, O_RDWR);

	if (fd >= 0 && ftruncate(fd, sizeof(uint64_t)) == 0)
		map = mmap(NULL, sizeof(uint64_t), PROT_READ | PROT_WRITE,
			MAP_SHARED, fd, 0);
	if (fd >= 0)
		close(fd);
	return map == MAP_FAILED ? &nowhere : map;
}

/* Adds one, returns the new value. */
PROBE uint64_t
probe_add(uint64_t *number)
{
	return __atomic_add_fetch(number, 1, __ATOMIC_RELAXED);
}

/* The calls of the target so far, this one included. */
PROBE uint64_t
probe_count(void)
{
	static uint64_t *calls;

	if (calls == NULL)
		calls = probe_number("calls");
	return probe_add(calls);
}

/* The file appears whole, with this content. */
PROBE void
probe_save(const char *name, const void *data, size_t size)
{
	char part[256], path[2][4096];
	const char *dir = getenv("PROBE");
	int fd;

	if (dir == NULL)
		return;
	snprintf(part, sizeof(part), ".%s-%d", name, (int)getpid());
	snprintf(path[0], sizeof(path[0]), "%s/%s", dir, part);
	snprintf(path[1], sizeof(path[1]), "%s/%s", dir, name);
	fd = probe_open(part, O_WRONLY | O_TRUNC);
	if (fd < 0 || write(fd, data, size) != (ssize_t)size ||
		rename(path[0], path[1]) != 0)
		abort();
	close(fd);
}

/* One more line of a list. */
PROBE void
probe_log(const char *name, const char *line)
{
	char text[512];
	int fd = probe_open(name, O_WRONLY | O_APPEND);
	int len = snprintf(text, sizeof(text), "%s\n", line);

	if (fd >= 0 && write(fd, text, (size_t)len) != len)
		abort();
	close(fd);
}

/* What the test asks for; "" if nothing. */
PROBE const char *
probe_mode(void)
{
	const char *mode = getenv("MODE");

	return mode != NULL ? mode : "";
}

PROBE bool
probe_is(const char *mode)
{
	return strcmp(probe_mode(), mode) == 0;
}

/* Waits in a way that only the end of the process ends. */
PROBE void
probe_wait_for_ever(void)
{
	for (;;)
		pause();
}

PROBE void *
probe_rest(void *arg)
{
	probe_wait_for_ever();
	return arg;
}

/* A target that has threads when it is ready cannot be forked. 0, or why not. */
PROBE int
probe_start_thread(void)
{
	pthread_t thread;

	return pthread_create(&thread, NULL, probe_rest, NULL);
}

#endif
