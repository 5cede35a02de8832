/*
 * edges: counts the edges that the files of a folder reach, independently of
 * the fuzzer that made them. For programs built by clang with
 * -fsanitize-coverage=trace-pc-guard.
 */
#include <dirent.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
void __sanitizer_cov_trace_pc_guard_init(uint32_t *start, uint32_t *stop);
void __sanitizer_cov_trace_pc_guard(uint32_t *guard);

static unsigned long total, hit;

void
__sanitizer_cov_trace_pc_guard_init(uint32_t *start, uint32_t *stop)
{
	if (start == stop || *start != 0)
		return;
	while (start < stop) {
		*start++ = 1;
		total++;
	}
}

void
__sanitizer_cov_trace_pc_guard(uint32_t *guard)
{
	hit += *guard;
	*guard = 0;
}

static void
run_file(const char *folder, const char *name)
{
	static uint8_t buf[1 << 20];
	char path[4096];
	uint8_t *data;
	size_t len;
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
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

int
main(int argc, char **argv)
{
	struct dirent *entry;
	DIR *dir;

	for (int i = 1; i < argc; i++) {
		dir = opendir(argv[i]);
		if (dir == NULL) {
			perror(argv[i]);
			return 1;
		}
		while ((entry = readdir(dir)) != NULL)
			if (entry->d_name[0] != '.')
				run_file(argv[i], entry->d_name);
		closedir(dir);
	}
	printf("%lu %lu\n", hit, total);
	return 0;
}
