/*
 * theme: what each style looks like.
 *
 * A theme is a JSON file: {"name": "dark", "styles": {"key": {"fg":
 * "#59c2ff", "bg": …, "attr": ["bold"]}, …}}. A colour is "#rrggbb", a name
 * ("red", "bright-red", "default") or a number of the palette; the `fg` of a
 * gradient is a list of colours. What an element leaves out it takes from
 * "normal". The themes of themes/ are compiled in.
 */
#ifndef CFUZZ_UI_TERM_THEME_H
#define CFUZZ_UI_TERM_THEME_H

#include <stdbool.h>
#include <stddef.h>

#include "shared/status.h"
#include "ui/term/color.h"
#include "ui/term/style.h"

#define THEME_STOPS 8
#define THEME_NAME_SIZE 64

#define THEME_BOLD 1u
#define THEME_DIM 2u
#define THEME_UNDERLINE 4u
#define THEME_REVERSE 8u

struct theme_style {
	struct color bg;
	struct color fg[THEME_STOPS];
	size_t fg_n; /* > 1: a gradient */
	unsigned attr;
};

struct theme {
	char name[THEME_NAME_SIZE];
	struct theme_style styles[STYLE_COUNT];
};

/* The compiled-in themes, the default first; NULL beyond the last. */
const char *theme_builtin(size_t i);
const char *theme_builtin_text(const char *name, size_t *len); /* NULL */

/*
 * A name ("light"; "" = the default) or the path of a file, which has a
 * slash or ends in .json. Names are looked up among the compiled-in, in the
 * user's configuration folder, and in the installed ones.
 */
enum status theme_load(const char *name, struct theme *theme, struct error *err)
	MUST_CHECK;

/* `file` is for messages: "themes/dark.json:12:9: key: …". */
enum status theme_parse(const char *file, const char *text, size_t len,
	struct theme *theme, struct error *err) MUST_CHECK;

/* The colour of text in that style at that level of a gradient. */
struct color theme_fg(const struct theme *theme, enum style style, int level);

/* Has a style a gradient in every theme? */
bool theme_is_gradient(enum style style);

#endif
