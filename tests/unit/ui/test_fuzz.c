/*
 * test_fuzz: the fuzz targets for our own parsers, over the inputs that fuzzing
 * them has left in tests/data/fuzz/. What once failed stays there.
 */
#include <dirent.h>

#include "../../fuzz/afl_cmplog.c"
#include "../../fuzz/afl_hello.c"
#include "../../fuzz/command.c"
#include "../../fuzz/coverage.c"
#include "../../fuzz/dictionary.c"
#include "../../fuzz/elf.c"
#include "../../fuzz/filter.c"
#include "../../fuzz/finding.c"
#include "../../fuzz/frame.c"
#include "../../fuzz/frames.c"
#include "../../fuzz/hook.c"
#include "../../fuzz/instruction.c"
#include "../../fuzz/journal.c"
#include "../../fuzz/keys.c"
#include "../../fuzz/minimizer.c"
#include "../../fuzz/place.c"
#include "../../fuzz/process_history.c"
#include "../../fuzz/query.c"
#include "../../fuzz/recording.c"
#include "../../fuzz/report.c"
#include "../../fuzz/ring.c"
#include "../../fuzz/rpc.c"
#include "../../fuzz/settings.c"
#include "../../fuzz/snapshot.c"
#include "../../fuzz/source.c"
#include "../../fuzz/stats.c"
#include "../../fuzz/symbols.c"
#include "../../fuzz/terminal.c"
#include "../../fuzz/theme.c"
#include "../../fuzz/tuple.c"
#include "../../fuzz/typed_text.c"
#include "../../fuzz/web.c"
#include "lib/check.h"
#include "lib/files.h"

static const struct fuzz_case {
	const char *name;
	int (*run)(const uint8_t *data, size_t size);
} CASES[] = {
	{ "afl_cmplog", fuzz_afl_cmplog },
	{ "afl_hello", fuzz_afl_hello },
	{ "command", fuzz_command },
	{ "coverage", fuzz_coverage },
	{ "dictionary", fuzz_dictionary },
	{ "elf", fuzz_elf },
	{ "filter", fuzz_filter },
	{ "finding", fuzz_finding },
	{ "frame", fuzz_frame },
	{ "frames", fuzz_frames },
	{ "hook", fuzz_hook },
	{ "instruction", fuzz_instruction },
	{ "journal", fuzz_journal },
	{ "keys", fuzz_keys },
	{ "minimizer", fuzz_minimizer },
	{ "place", fuzz_place },
	{ "process_history", fuzz_process_history },
	{ "query", fuzz_query },
	{ "recording", fuzz_recording },
	{ "report", fuzz_report },
	{ "ring", fuzz_ring },
	{ "rpc", fuzz_rpc },
	{ "settings", fuzz_settings },
	{ "snapshot", fuzz_snapshot },
	{ "source", fuzz_source },
	{ "stats", fuzz_stats },
	{ "symbols", fuzz_symbols },
	{ "terminal", fuzz_terminal },
	{ "theme", fuzz_theme },
	{ "tuple", fuzz_tuple },
	{ "typed_text", fuzz_typed_text },
	{ "web", fuzz_web },
};

/* Each input alone, in memory of just its size. */
static void
run_file(const struct fuzz_case *c, const char *folder, const char *name)
{
	char path[1024];
	char *data;
	uint8_t *tight;
	size_t size;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	data = files_read(path, &size);
	assert_non_null(data);
	tight = malloc(size > 0 ? size : 1);
	assert_non_null(tight);
	memcpy(tight, data, size);
	free(data);
	(void)c->run(tight, size);
	free(tight);
}

static void
test_corpus(void **state)
{
	const struct fuzz_case *c = *state;
	char folder[512];
	const struct dirent *entry;
	size_t n = 0;
	DIR *dir;

	snprintf(folder, sizeof(folder), TEST_DATA "/fuzz/%s", c->name);
	dir = opendir(folder);
	assert_non_null(dir);
	while ((entry = readdir(dir)) != NULL)
		if (entry->d_name[0] != '.') {
			run_file(c, folder, entry->d_name);
			n++;
		}
	closedir(dir);
	assert_true(n > 0);
}

int
main(void)
{
	return rows_run("fuzz", ROWS_OF(CASES, name, test_corpus));
}
