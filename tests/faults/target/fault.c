#include "fault.h"

volatile uint64_t fault_sink;

static const struct fault *const FAMILIES[] = {
	crash_faults,
	signal_faults,
	hang_faults,
	process_faults,
	memory_faults,
	shared_faults,
	link_faults,
	around_faults,
	odd_faults,
};

static const struct fault *
fault_find(const char *name)
{
	for (size_t i = 0; i < sizeof(FAMILIES) / sizeof(FAMILIES[0]); i++)
		for (const struct fault *f = FAMILIES[i]; f->name; f++)
			if (strcmp(f->name, name) == 0)
				return f;
	return NULL;
}

/* The one that was asked for; without any it is a target like others. */
static const struct fault *
fault_chosen(void)
{
	static const struct fault none = { "", NULL, AT_START };
	static const struct fault *chosen;
	const char *name = getenv("FAULT");

	if (chosen)
		return chosen;
	chosen = name && *name ? fault_find(name) : &none;
	if (!chosen) {
		fprintf(stderr, "there is no fault \"%s\"\n", name);
		_exit(99);
	}
	return chosen;
}

int
fault_next_shared(FILE *maps, unsigned long *from, unsigned long *to)
{
	char line[512], mode[8];

	while (maps && fgets(line, sizeof(line), maps)) {
		/* The test's own files are none of the fuzzer's. */
		if (strstr(line, "/probe/"))
			continue;
		if (sscanf(line, "%lx-%lx %7s", from, to, mode) == 3 &&
			strcmp(mode, "rw-s") == 0)
			return 1;
	}
	return 0;
}

/* Something to cover: a few branches behind each other. */
static void
walk(const uint8_t *data, size_t size)
{
	static const char path[] = "harmless";

	for (size_t i = 0; i < size && i < sizeof(path) - 1; i++) {
		if (data[i] != (uint8_t)path[i])
			break;
		fault_sink += i;
	}
}

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
	const struct fault *f = fault_chosen();

	if (f->run && f->when == AT_START)
		f->run(NULL, 0);
	return strcmp(f->name, "start refused") == 0;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct fault *f = fault_chosen();
	int is_bad = size > 0 && data[0] == 'F';

	probe_count();
	walk(data, size);
	if (!f->run || f->when == AT_START || (f->when == ON_F && !is_bad))
		return 0;
	/* What the first one was: replays come later. */
	if (probe_add(probe_number("failures")) == 1)
		probe_save("first", data, size);
	f->run(data, size);
	return 0;
}
