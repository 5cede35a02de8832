/* Memory of its own that the target asks for, or writes to. */
#include "fault.h"

static void
memory_leak(const uint8_t *data, size_t size)
{
	const size_t mib = 1 << 20;
	char *volatile lost = malloc(mib);

	UNUSED;
	if (lost)
		memset(lost, 1, mib);
}

static void
memory_hog(const uint8_t *data, size_t size)
{
	const size_t much = 64 << 20;
	char *volatile room;

	UNUSED;
	while ((room = malloc(much)) != NULL)
		memset(room, 1, much);
	abort();
}

static void
memory_grows(const uint8_t *data, size_t size)
{
	for (;;) {
		memory_leak(data, size);
		usleep(1000);
	}
}

static void
input_written(const uint8_t *data, size_t size)
{
	((uint8_t *)(uintptr_t)data)[size / 2] ^= 1;
}

/* What was given to the call before is looked at again. */
static void
input_kept(const uint8_t *data, size_t size)
{
	static const volatile uint8_t *before;

	if (before)
		fault_sink += *before;
	before = data;
}

static void
wild_write(const uint8_t *data, size_t size)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	unsigned long from, to;

	UNUSED;
	while (fault_next_shared(maps, &from, &to))
		memset((void *)from, 'Z', to - from);
	if (maps)
		fclose(maps);
	abort();
}

const struct fault memory_faults[] = {
	{ "leaks 1 MiB", memory_leak, ON_EACH },
	{ "takes all memory", memory_hog, ON_F },
	{ "grows slowly", memory_grows, ON_F },
	{ "writes into its input", input_written, ON_F },
	{ "keeps its input", input_kept, ON_EACH },
	{ "wild write, crash", wild_write, ON_F },
	{ NULL, NULL, ON_F },
};
