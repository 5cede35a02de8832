/*
 * edges: counts the edges that the files of some folders reach, independently
 * of the fuzzer that made them. For programs built by clang with
 * -fsanitize-coverage=trace-pc-guard.
 *
 * The files run in a child, so one that kills or hangs it costs no more than
 * itself. Prints: edges reached, edges that there are, files that were lost.
 */
#include <dirent.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define FILE_SECONDS 10
#define EDGES_MAX (4u << 20)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
void __sanitizer_cov_trace_pc_guard_init(uint32_t *start, uint32_t *stop);
void __sanitizer_cov_trace_pc_guard(uint32_t *guard);

static struct files {
	char **paths;
	size_t n;
} files;

static uint32_t total;

/* Seen by the child and by us. */
static struct new_functions {
	size_t next; /* file */
	uint8_t edges[EDGES_MAX];
} * reached;

void
__sanitizer_cov_trace_pc_guard_init(uint32_t *start, uint32_t *stop)
{
	if (start == stop || *start != 0)
		return;
	while (start < stop && total + 1 < EDGES_MAX)
		*start++ = ++total;
}

void
__sanitizer_cov_trace_pc_guard(uint32_t *guard)
{
	if (reached != NULL)
		reached->edges[*guard] = 1;
}

static void
run_file(const char *path)
{
	static uint8_t buf[1 << 20];
	uint8_t *data;
	size_t len;
	FILE *f;

	f = fopen(path, "rb");
	if (f == NULL)
		return;
	len = fread(buf, 1, sizeof(buf), f);
	fclose(f);
	data = malloc(len + 1);
	if (data == NULL)
		return;
	memcpy(data, buf, len);
	LLVMFuzzerTestOneInput(data, len);
	free(data);
}

static void
run_rest(void)
{
	while (reached->next < files.n) {
		alarm(FILE_SECONDS);
		run_file(files.paths[reached->next++]);
	}
}

/* How many files did their child harm. */
static unsigned
run_all(void)
{
	unsigned lost = 0;
	int status;
	pid_t pid;

	while (reached->next < files.n) {
		pid = fork();
		if (pid == 0) {
			run_rest();
			_exit(0);
		}
		if (pid < 0 || waitpid(pid, &status, 0) != pid)
			exit(1);
		lost += status != 0;
	}
	return lost;
}

static void
add_files(const char *folder)
{
	struct dirent *entry;
	char *path;
	DIR *dir;

	dir = opendir(folder);
	if (dir == NULL) {
		perror(folder);
		exit(1);
	}
	while ((entry = readdir(dir)) != NULL) {
		if (entry->d_name[0] == '.')
			continue;
		files.paths = realloc(files.paths,
			(files.n + 1) * sizeof(*files.paths));
		if (files.paths == NULL ||
			asprintf(&path, "%s/%s", folder, entry->d_name) < 0)
			exit(1);
		files.paths[files.n++] = path;
	}
	closedir(dir);
}

int
main(int argc, char **argv)
{
	unsigned long hit = 0;
	unsigned lost;

	for (int i = 1; i < argc; i++)
		add_files(argv[i]);
	reached = mmap(NULL, sizeof(*reached), PROT_READ | PROT_WRITE,
		MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (reached == MAP_FAILED)
		return 1;
	lost = run_all();
	for (size_t i = 1; i <= total; i++)
		hit += reached->edges[i];
	printf("%lu %u %u\n", hit, total, lost);
	return 0;
}
