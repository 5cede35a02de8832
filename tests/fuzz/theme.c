/* theme: colours of a user. */
#include "ui/term/theme.h"
#include "fuzz/fuzz.h"

int fuzz_theme(const uint8_t *data, size_t size);

int
fuzz_theme(const uint8_t *data, size_t size)
{
	static struct theme theme;
	struct error err = { 0 };

	if (theme_parse("theme.json", (const char *)data, size, &theme, &err) !=
		OK)
		FUZZ_CHECK(err.text[0] != '\0');
	else
		(void)theme_fg(&theme, (enum style)0, 100);
	return 0;
}

FUZZ_TARGET(theme)
