/*
 * theme: colours and attributes of each style.
 *
 * A theme is a JSON file: {"name": "dark", "styles": {"key": {"fg": "#59c2ff",
 * "bg": …, "attr": ["bold"]}, …}}. A colour is "#rrggbb", a name ("red",
 * "bright-red", "default") or a palette index; the `fg` of a gradient is a list
 * of colours. A missing `fg` or `bg` is that of "normal"; a missing `attr`
 * means no attributes. The themes of themes/ are compiled in.
 */
#ifndef CFUZZ_UI_TERM_THEME_H
#define CFUZZ_UI_TERM_THEME_H

#include <stdbool.h>
#include <stddef.h>

#include "shared/status.h"
#include "ui/term/color.h"
#include "ui/term/style.h"

#define THEME_STOPS 8 /* colours of a gradient */
#define THEME_NAME_SIZE 64

#define THEME_BOLD 1u
#define THEME_DIM 2u
#define THEME_UNDERLINE 4u
#define THEME_REVERSE 8u

struct theme_style {
	struct color bg;
	struct color fg[THEME_STOPS];
	size_t fg_n;   /* > 1: a gradient */
	unsigned attr; /* THEME_BOLD ... */
};

struct theme {
	char name[THEME_NAME_SIZE];
	struct theme_style styles[STYLE_COUNT];
};

/* Names of the compiled-in themes, the default first; NULL after the last. */
const char *theme_builtin(size_t i);
const char *theme_builtin_text(const char *name, size_t *len); /* or NULL */

/*
 * Loads a theme by name ("light"; "" = the default) or by path, which has a
 * slash or ends in .json. Names are searched in the compiled-in themes, the
 * user's configuration folder and the installed themes. E_NOT_FOUND: there is
 * no such theme; E_FORMAT: the file is invalid.
 */
enum status theme_load(const char *name, struct theme *theme, struct error *err)
	MUST_CHECK;

/* `file` is for messages: "themes/dark.json:12:9: key: …". */
enum status theme_parse(const char *file, const char *text, size_t len,
	struct theme *theme, struct error *err) MUST_CHECK;

/* The text colour of a style at a level of its gradient, 0 to 100. */
struct color theme_fg(const struct theme *theme, enum style style, int level);

/* Does the style have a gradient in every theme? */
bool theme_is_gradient(enum style style);

#endif
