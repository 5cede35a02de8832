/*
 * theme_builtin: the files of themes/, compiled into the program.
 *
 * The assembler includes the files, so no second copy can differ. Paths are
 * relative to the folder where make runs.
 */
#include <string.h>

#include "ui/term/theme.h"

/* clang-format off */
#define THEME_FILE(name, file) \
	__asm__(".pushsection .rodata\n" \
		".global theme_text_" #name "\n.hidden theme_text_" #name "\n" \
		"theme_text_" #name ":\n.incbin \"themes/" file ".json\"\n" \
		".global theme_end_" #name "\n.hidden theme_end_" #name "\n" \
		"theme_end_" #name ":\n.byte 0\n.popsection\n"); \
	extern const char theme_text_##name[], theme_end_##name[]
#define THEME_ROW(name, file) { file, theme_text_##name, theme_end_##name }

THEME_FILE(dark, "dark");
THEME_FILE(light, "light");
THEME_FILE(high_contrast, "high-contrast");
THEME_FILE(colour_blind, "colour-blind");
THEME_FILE(monochrome, "monochrome");

static const struct {
	const char *name, *text, *end;
} theme_table[] = {
	THEME_ROW(dark, "dark"),
	THEME_ROW(light, "light"),
	THEME_ROW(high_contrast, "high-contrast"),
	THEME_ROW(colour_blind, "colour-blind"),
	THEME_ROW(monochrome, "monochrome"),
};
/* clang-format on */

#define THEME_N (sizeof(theme_table) / sizeof(theme_table[0]))

const char *
theme_builtin(size_t i)
{
	return i < THEME_N ? theme_table[i].name : NULL;
}

const char *
theme_builtin_text(const char *name, size_t *len)
{
	for (size_t i = 0; i < THEME_N; i++) {
		if (strcmp(theme_table[i].name, name) != 0)
			continue;
		*len = (size_t)(theme_table[i].end - theme_table[i].text);
		return theme_table[i].text;
	}
	return NULL;
}
