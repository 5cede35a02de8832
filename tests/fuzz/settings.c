/* settings: a command line, a word for each line of the input. */
#include "control/settings.h"
#include "fuzz/fuzz.h"

#define WORDS_MAX 32

int fuzz_settings(const uint8_t *data, size_t size);

int
fuzz_settings(const uint8_t *data, size_t size)
{
	static const unsigned ends[] = { 0, OPTION_CONSOLE, OPTION_RUN };
	char *text = fuzz_text(data, size), *rest = text, *argv[WORDS_MAX + 2];
	int argc = 0, operand = 0;
	struct settings settings;
	struct error err = { 0 };
	char now[4096];

	argv[argc++] = "cfuzz";
	while (argc <= WORDS_MAX && rest != NULL)
		argv[argc++] = strsep(&rest, "\n");
	argv[argc] = NULL;
	settings_init(&settings);
	if (settings_parse_args(&settings, argc, argv, ends[size % 3], &operand,
		    &err) == OK) {
		FUZZ_CHECK(operand > 0 && operand <= argc);
		for (unsigned id = 0; id < OPT_COUNT_; id++)
			settings_format(&settings, (enum option_id)id, now,
				sizeof(now));
	} else {
		FUZZ_CHECK(err.text[0] != '\0');
	}
	settings_clear(&settings);
	free(text);
	return 0;
}

FUZZ_TARGET(settings)
