/*
 * theme: reads a theme file.
 *
 * The reader keeps the path to the current value for positions of errors; see
 * json_position.h.
 */
#include "ui/term/theme.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/file.h"
#include "base/text.h"
#include "ui/term/json_position.h"

struct theme_reader {
	struct json_position at;
	struct theme *theme;
	struct error *err;
};

static const struct {
	const char *name;
	unsigned bit;
} theme_attrs[] = {
	{ "bold", THEME_BOLD },
	{ "dim", THEME_DIM },
	{ "underline", THEME_UNDERLINE },
	{ "reverse", THEME_REVERSE },
};

#define THEME_ATTRS_N (sizeof(theme_attrs) / sizeof(theme_attrs[0]))

bool
theme_is_gradient(enum style style)
{
	return style >= STYLE_SPEED && style < STYLE_COUNT;
}

/* `file:line:column: element: what`. */
static enum status theme_bad(const struct theme_reader *r, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

static enum status
theme_bad(const struct theme_reader *r, const char *fmt, ...)
{
	char what[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	return json_position_error(&r->at, r->err,
		r->at.path_n > 1 ? r->at.path[1] : "", "%s", what);
}

/* ---- values ---- */

static enum status
theme_read_color(struct theme_reader *r, const json_t *value,
	struct color *color)
{
	char shown[64];

	if (json_is_integer(value)) {
		json_int_t n = json_integer_value(value);

		if (n < 0 || n > 255)
			return theme_bad(r, "a colour number is 0 to 255");
		*color = (struct color){ .kind = COLOR_INDEX,
			.index = (uint8_t)n };
		return OK;
	}
	if (!json_is_string(value))
		return theme_bad(r, "a colour is a text or a number");
	if (color_parse(json_string_value(value), color))
		return OK;
	text_clean_string(json_string_value(value), shown, sizeof(shown));
	return theme_bad(r,
		"`%s` is not a colour; write \"#rrggbb\", a name such "
		"as \"bright-red\", \"default\", or 0 to 255",
		shown);
}

static enum status
theme_read_fg(struct theme_reader *r, const json_t *value,
	struct theme_style *style)
{
	size_t n = json_array_size(value);

	if (!json_is_array(value)) {
		style->fg_n = 1;
		return theme_read_color(r, value, &style->fg[0]);
	}
	if (n < 1 || n > THEME_STOPS)
		return theme_bad(r, "a gradient has 1 to %d colours",
			THEME_STOPS);
	for (size_t i = 0; i < n; i++) {
		enum status status = theme_read_color(r,
			json_array_get(value, i), &style->fg[i]);

		if (status != OK)
			return status;
	}
	style->fg_n = n;
	return OK;
}

static enum status
theme_read_attr(struct theme_reader *r, const json_t *value, unsigned *attr)
{
	*attr = 0;
	if (!json_is_array(value))
		return theme_bad(r, "`attr` is a list, such as [\"bold\"]");
	for (size_t i = 0; i < json_array_size(value); i++) {
		const char *word = json_string_value(json_array_get(value, i));
		unsigned bit = 0;

		for (size_t a = 0; word != NULL && a < THEME_ATTRS_N; a++)
			if (strcmp(word, theme_attrs[a].name) == 0)
				bit = theme_attrs[a].bit;
		if (bit == 0)
			return theme_bad(r,
				"an attribute is one of bold, dim, underline, "
				"reverse");
		*attr |= bit;
	}
	return OK;
}

static enum status
theme_read_style(struct theme_reader *r, json_t *value,
	struct theme_style *style)
{
	const char *key;
	json_t *member;
	enum status status = OK;

	if (!json_is_object(value))
		return theme_bad(r,
			"expected {\"fg\": …, \"bg\": …, \"attr\": […]}");
	json_object_foreach(value, key, member) {
		r->at.path[2] = key;
		r->at.path_n = 3;
		if (strcmp(key, "fg") == 0)
			status = theme_read_fg(r, member, style);
		else if (strcmp(key, "bg") == 0)
			status = theme_read_color(r, member, &style->bg);
		else if (strcmp(key, "attr") == 0)
			status = theme_read_attr(r, member, &style->attr);
		else
			status = theme_bad(r, "only fg, bg and attr are known");
		if (status != OK)
			return status;
	}
	r->at.path_n = 2;
	return OK;
}

static enum style
theme_style_find(const char *name)
{
	enum style style = STYLE_NORMAL;

	while (style < STYLE_COUNT && strcmp(style_name(style), name) != 0)
		style++;
	return style;
}

/* "normal" first: the other styles start as copies of it. */
static enum status
theme_read_normal(struct theme_reader *r, json_t *styles)
{
	struct theme_style normal = { .fg_n = 1 }; /* the default colours */
	json_t *value = json_object_get(styles, style_name(STYLE_NORMAL));
	enum status status = OK;

	r->at.path[1] = style_name(STYLE_NORMAL);
	r->at.path_n = 2;
	if (value != NULL)
		status = theme_read_style(r, value, &normal);
	for (int i = 0; i < STYLE_COUNT; i++) {
		r->theme->styles[i] = normal;
		r->theme->styles[i].attr = 0;
	}
	r->theme->styles[STYLE_NORMAL] = normal;
	return status;
}

static enum status
theme_read_styles(struct theme_reader *r, json_t *styles)
{
	const char *name;
	json_t *value;
	enum status status;

	r->at.path[0] = "styles";
	r->at.path_n = 1;
	if (!json_is_object(styles))
		return theme_bad(r, "the theme needs an object \"styles\"");
	status = theme_read_normal(r, styles);
	json_object_foreach(styles, name, value) {
		enum style style = theme_style_find(name);

		if (status != OK)
			return status;
		r->at.path[1] = name;
		r->at.path_n = 2;
		if (style == STYLE_COUNT)
			return theme_bad(r, "there is no such element");
		status = theme_read_style(r, value, &r->theme->styles[style]);
	}
	return status;
}

static enum status
theme_read(struct theme_reader *r, json_t *root)
{
	const char *name = json_string_value(json_object_get(root, "name"));

	r->at.path[0] = "name";
	r->at.path_n = 1;
	if (name == NULL)
		return theme_bad(r, "the theme needs a text \"name\"");
	text_clean_string(name, r->theme->name, sizeof(r->theme->name));
	return theme_read_styles(r, json_object_get(root, "styles"));
}

enum status
theme_parse(const char *file, const char *text, size_t len, struct theme *theme,
	struct error *err)
{
	struct theme_reader reader = {
		.at = { .file = file, .text = text, .len = len },
		.theme = theme,
		.err = err,
	};
	json_t *root = json_position_load(&reader.at, err);
	enum status status;

	memset(theme, 0, sizeof(*theme));
	if (root == NULL)
		return E_FORMAT;
	status = theme_read(&reader, root);
	json_decref(root);
	return status;
}

/* ---- files ---- */

static enum status
theme_load_file(const char *path, struct theme *theme, struct error *err)
{
	uint8_t *data;
	size_t len;
	enum status status =
		file_read(path, JSON_POSITION_FILE_MAX, &data, &len, err);
	char shown[512];

	if (status != OK)
		return status;
	text_clean_string(path, shown, sizeof(shown));
	status = theme_parse(shown, (const char *)data, len, theme, err);
	free(data);
	return status;
}

/* Returns E_NOT_FOUND without such a file in that folder. */
static enum status
theme_load_in(const char *folder, const char *below, const char *name,
	struct theme *theme, struct error *err)
{
	char path[4096];
	struct error why = { 0 };
	enum status status;

	if (folder == NULL || folder[0] != '/')
		return E_NOT_FOUND;
	snprintf(path, sizeof(path), "%s%s/%s.json", folder, below, name);
	status = theme_load_file(path, theme, &why);
	if (status != OK && status != E_NOT_FOUND)
		error_set(err, status, "%s", why.text);
	return status;
}

static enum status
theme_load_named(const char *name, struct theme *theme, struct error *err)
{
	const char *config = getenv("XDG_CONFIG_HOME");
	enum status status =
		theme_load_in(config, "/cfuzz/themes", name, theme, err);
	char shown[64];

	if (status == E_NOT_FOUND && (config == NULL || config[0] != '/'))
		status = theme_load_in(getenv("HOME"), "/.config/cfuzz/themes",
			name, theme, err);
	if (status == E_NOT_FOUND)
		status = theme_load_in(CFUZZ_DATADIR, "/themes", name, theme,
			err);
	if (status != E_NOT_FOUND)
		return status;
	text_clean_string(name, shown, sizeof(shown));
	return error_set(err, E_NOT_FOUND,
		"no theme `%s`; there are dark, light, high-contrast, "
		"colour-blind, monochrome, or give the path of a file",
		shown);
}

static bool
theme_is_path(const char *name)
{
	size_t len = strlen(name);

	return strchr(name, '/') != NULL ||
		(len > 5 && strcmp(name + len - 5, ".json") == 0);
}

enum status
theme_load(const char *name, struct theme *theme, struct error *err)
{
	const char *text;
	size_t len;

	if (name[0] == '\0')
		name = theme_builtin(0);
	if (theme_is_path(name))
		return theme_load_file(name, theme, err);
	text = theme_builtin_text(name, &len);
	if (text != NULL)
		return theme_parse(name, text, len, theme, err);
	return theme_load_named(name, theme, err);
}

struct color
theme_fg(const struct theme *theme, enum style style, int level)
{
	const struct theme_style *s = &theme->styles[style];
	int position, stop, last = (int)s->fg_n - 1;

	if (last <= 0)
		return s->fg[0];
	if (level >= 100)
		return s->fg[last];
	position = (level < 0 ? 0 : level) * last;
	stop = position / 100;
	return color_mix(s->fg[stop], s->fg[stop + 1], position % 100);
}
