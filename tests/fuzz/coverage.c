/* coverage: coverage.jsonl of an earlier run, whatever became of it. */
#include "engine/coverage_file.h"
#include "fuzz/fuzz.h"

int fuzz_coverage(const uint8_t *data, size_t size);

int
fuzz_coverage(const uint8_t *data, size_t size)
{
	struct coverage_file file;
	struct error err = { 0 };

	if (coverage_file_parse(&file, (const char *)data, size, &err) == OK) {
		FUZZ_CHECK(file.modules_n <= MEMORY_MODULES_MAX &&
			file.counters <= MEMORY_COUNTERS_MAX &&
			file.table.n <= file.modules_n);
		for (uint32_t i = 0; i < file.table.n; i++) {
			const struct pc_table_module *m =
				&file.table.modules[i];

			FUZZ_CHECK(m->known <= m->n &&
				m->functions <= m->known &&
				m->n <= file.counters - m->base);
		}
	} else {
		FUZZ_CHECK(file.bits == NULL && file.modules_n == 0);
	}
	coverage_file_clear(&file);
	return 0;
}

FUZZ_TARGET(coverage)
