/* journal: the log of an output directory, whatever became of it. */
#include "store/journal.h"
#include "fuzz/fuzz.h"

int fuzz_journal(const uint8_t *data, size_t size);

int
fuzz_journal(const uint8_t *data, size_t size)
{
	static int fd = -1;
	struct journal_summary summary = { 0 };
	struct error err = { 0 };

	FUZZ_CHECK(
		journal_read(fuzz_file(&fd, data, size), &summary, &err) == OK);
	FUZZ_CHECK(summary.bad <= summary.lines &&
		summary.extent.good_len + summary.extent.torn_len <= size);
	journal_summary_clear(&summary);
	return 0;
}

FUZZ_TARGET(journal)
