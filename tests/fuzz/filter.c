/* filter: what a user types to see less of a list: its words, then rows. */
#include "ui/model/filter.h"
#include "fuzz/fuzz.h"

int fuzz_filter(const uint8_t *data, size_t size);

static void
filter_fuzz_again(const struct filter *filter)
{
	const char *const itself[] = { filter->text };
	struct filter again;

	filter_set(&again, filter->text);
	FUZZ_CHECK(strcmp(again.text, filter->text) == 0);
	FUZZ_CHECK(filter_match(filter, itself, 1));
}

int
fuzz_filter(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size), *rest = text, *row;
	char title[FILTER_TITLE];
	struct filter filter;
	size_t shown = 0, total = 0;

	filter_set(&filter, strsep(&rest, "\n"));
	FUZZ_CHECK(strlen(filter.text) < sizeof(filter.text));
	filter_fuzz_again(&filter);
	while ((row = strsep(&rest, "\n")) != NULL) {
		const char *const texts[] = { row, "x" };

		shown += filter_match(&filter, texts, 2);
		total++;
	}
	FUZZ_CHECK(shown == total || filter_on(&filter));
	filter_title(&filter, shown, total, title);
	FUZZ_CHECK((title[0] != '\0') == filter_on(&filter));
	free(text);
	return 0;
}

FUZZ_TARGET(filter)
