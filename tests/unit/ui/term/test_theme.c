/*
 * test_theme: theme files, their errors, and the themes of themes/.
 */
#include "ui/term/theme.h"

#include <jansson.h>

#include "base/file.h"
#include "lib/check.h"

static void
test_good(void **state)
{
	const char *text =
		"{\"name\": \"t\", \"styles\": {"
		"\"normal\": {\"fg\": \"#102030\", \"bg\": 17},"
		"\"key\": {\"fg\": \"bright-red\", \"attr\": [\"bold\"]},"
		"\"dim\": {\"bg\": \"default\"},"
		"\"speed\": {\"fg\": [\"#000000\", \"#646464\", \"#c8c8c8\"]}"
		"}}";
	struct theme theme;
	struct error err = { 0 };

	check(theme_parse("t", text, strlen(text), &theme, &err) == OK, "%s",
		err.text);
	assert_string_equal(theme.name, "t");
	assert_int_equal(theme.styles[STYLE_NORMAL].fg[0].g, 0x20);
	assert_int_equal(theme.styles[STYLE_KEY].fg[0].index, 9);
	assert_int_equal(theme.styles[STYLE_KEY].attr, THEME_BOLD);
	/* Missing members are taken from "normal". */
	assert_int_equal(theme.styles[STYLE_KEY].bg.index, 17);
	assert_int_equal(theme.styles[STYLE_BAD].fg[0].r, 0x10);
	assert_int_equal(theme.styles[STYLE_DIM].bg.kind, COLOR_DEFAULT);
	assert_int_equal(theme_fg(&theme, STYLE_SPEED, 0).r, 0);
	assert_int_equal(theme_fg(&theme, STYLE_SPEED, 25).r, 50);
	assert_int_equal(theme_fg(&theme, STYLE_SPEED, 50).r, 100);
	assert_int_equal(theme_fg(&theme, STYLE_SPEED, 100).r, 200);
	assert_int_equal(theme_fg(&theme, STYLE_SPEED, 900).r, 200);
	assert_int_equal(theme_fg(&theme, STYLE_KEY, 50).index, 9);
}

static void
test_bad(void **state)
{
	static const struct {
		const char *text, *want;
	} rows[] = {
		{ "{\"name\": \"x\",\n\"styles\": {\n  \"kee\": {}}}",
			"f:3:3: kee: there is no such element" },
		{ "{\"name\": \"x\",\n\"styles\": {\n  \"key\": {\n"
		  "    \"fg\": \"#12345\"}}}",
			"f:4:5: key: `#12345` is not a colour; write "
			"\"#rrggbb\", a name such as \"bright-red\", "
			"\"default\", or 0 to 255" },
		{ "{\"name\": \"x\", \"styles\": {\"key\": {\"bg\": 256}}}",
			"f:1:34: key: a colour number is 0 to 255" },
		{ "{\"name\": \"x\", \"styles\": {\"key\": {\"bg\": null}}}",
			"f:1:34: key: a colour is a text or a number" },
		{ "{\"name\": \"x\", \"styles\": {\"size\": {\"fg\": []}}}",
			"f:1:35: size: a gradient has 1 to 8 colours" },
		{ "{\"name\": \"x\", \"styles\": {\"key\": "
		  "{\"attr\": [\"blink\"]}}}",
			"f:1:34: key: an attribute is one of bold, dim, "
			"underline, reverse" },
		{ "{\"name\": \"x\", \"styles\": {\"key\": "
		  "{\"attr\": \"bold\"}}}",
			"f:1:34: key: `attr` is a list, such as [\"bold\"]" },
		{ "{\"name\": \"x\", \"styles\": {\"key\": {\"font\": 1}}}",
			"f:1:34: key: only fg, bg and attr are known" },
		{ "{\"name\": \"x\", \"styles\": {\"key\": 3}}",
			"f:1:26: key: expected {\"fg\": …, \"bg\": …, "
			"\"attr\": […]}" },
		{ "{\"name\": \"x\", \"styles\": []}",
			"f:1:15: the theme needs an object \"styles\"" },
		{ "{\"styles\": {}}",
			"f:1:1: the theme needs a text \"name\"" },
		{ "[]", "f:1:1: the theme needs a text \"name\"" },
		/* The element is searched at its own depth. */
		{ "{\"name\": \"key\", \"key\": {\"fg\": 1},\n"
		  "\"styles\": {\"dim\": {\"fg\": \"key\"},\n"
		  "\"key\": {\"fg\": \"x\\\"y\"}}}",
			"f:2:20: dim: `key` is not a colour; write "
			"\"#rrggbb\", a name such as \"bright-red\", "
			"\"default\", or 0 to 255" },
	};

	for (size_t i = 0; i < ROWS(rows); i++) {
		struct theme theme;
		struct error err = { 0 };

		check(theme_parse("f", rows[i].text, strlen(rows[i].text),
			      &theme, &err) == E_FORMAT,
			"%s", rows[i].text);
		check_text(err.text, rows[i].want, rows[i].text);
	}
}

static void
test_syntax(void **state)
{
	static const struct {
		const char *text, *start;
	} rows[] = {
		{ "{\"name\": \"x\",\n  \"styles\" {}}", "f:2:" },
		{ "", "f:1:0: " },
		{ "{\"name\": 1, \"name\": 2}", "f:1:" },
	};

	for (size_t i = 0; i < ROWS(rows); i++) {
		struct theme theme;
		struct error err = { 0 };

		check(theme_parse("f", rows[i].text, strlen(rows[i].text),
			      &theme, &err) == E_FORMAT,
			"%s", rows[i].text);
		check(strncmp(err.text, rows[i].start, strlen(rows[i].start)) ==
				0,
			"%s: %s", rows[i].text, err.text);
	}
}

static void
test_load(void **state)
{
	struct theme theme;
	struct error err = { 0 };

	assert_int_equal(theme_load("", &theme, &err), OK);
	assert_string_equal(theme.name, "dark");
	assert_int_equal(theme_load("light", &theme, &err), OK);
	assert_string_equal(theme.name, "light");
	assert_int_equal(theme_load("themes/light.json", &theme, &err), OK);
	assert_int_equal(theme_load("../../etc/nothing", &theme, &err),
		E_NOT_FOUND);
	error_clear(&err);
	assert_int_equal(theme_load("drak\033", &theme, &err), E_NOT_FOUND);
	assert_non_null(strstr(err.text, "no theme `drak\\x1b`"));
}

/* ---- compiled-in themes ---- */

static json_t *
shipped_styles(const char *name)
{
	size_t len;
	const char *text = theme_builtin_text(name, &len);
	json_t *root = json_loadb(text, len, 0, NULL);
	json_t *styles = json_incref(json_object_get(root, "styles"));

	json_decref(root);
	return styles;
}

/* Each file equals the compiled-in text, names itself and has all styles. */
static void
test_shipped(void **state)
{
	const char *name;

	for (size_t i = 0; (name = theme_builtin(i)) != NULL; i++) {
		json_t *styles = shipped_styles(name);
		struct error err = { 0 };
		struct theme theme;
		char path[256];
		uint8_t *file;
		size_t len, file_len;
		const char *text = theme_builtin_text(name, &len);

		snprintf(path, sizeof(path), "themes/%s.json", name);
		check(file_read(path, 1 << 20, &file, &file_len, &err) == OK,
			"%s", err.text);
		check(file_len == len && memcmp(file, text, len) == 0,
			"%s: the program holds another text", path);
		free(file);
		check(theme_load(name, &theme, &err) == OK, "%s", err.text);
		check_text(theme.name, name, path);
		for (int s = 0; s < STYLE_COUNT; s++)
			check(json_object_get(styles,
				      style_name((enum style)s)) != NULL,
				"%s: no %s", name, style_name((enum style)s));
		json_decref(styles);
	}
}

static double
needed_contrast(const char *theme, enum style style)
{
	if (strcmp(theme, "high-contrast") == 0)
		return 7.0;
	if (style == STYLE_FRAME) /* may be faint: it is no text */
		return 1.5;
	return theme_is_gradient(style) ? 3.0 : 4.5;
}

/* All text of all themes is readable, at each level of a gradient. */
static void
test_contrast(void **state)
{
	const char *name;

	for (size_t i = 0; (name = theme_builtin(i)) != NULL; i++) {
		struct theme theme;

		assert_int_equal(theme_load(name, &theme, NULL), OK);
		for (int s = 0; s < STYLE_COUNT * 101; s++) {
			enum style style = (enum style)(s / 101);
			double ratio =
				color_contrast(theme_fg(&theme, style, s % 101),
					theme.styles[style].bg);

			check(ratio >= needed_contrast(name, style),
				"%s: %s at %d has %.2f", name,
				style_name(style), s % 101, ratio);
		}
	}
}

static bool
same_color(struct color a, struct color b)
{
	return a.kind == b.kind && a.index == b.index && a.r == b.r &&
		a.g == b.g && a.b == b.b;
}

/* The selected row, announcements and marks stand out in all themes. */
static void
test_distinct(void **state)
{
	static const enum style loud[] = { STYLE_SELECTED, STYLE_ANNOUNCE,
		STYLE_MARK };
	const char *name;

	for (size_t i = 0; (name = theme_builtin(i)) != NULL; i++) {
		struct theme theme;

		assert_int_equal(theme_load(name, &theme, NULL), OK);
		for (size_t l = 0; l < ROWS(loud); l++) {
			const struct theme_style *a = &theme.styles[loud[l]];
			const struct theme_style *b =
				&theme.styles[STYLE_NORMAL];

			check(!same_color(a->bg, b->bg) ||
					(a->attr & THEME_REVERSE),
				"%s: %s", name, style_name(loud[l]));
		}
	}
}

/* With 8, 16 and 256 colours, no theme hides text. */
static void
test_few_colors(void **state)
{
	static const unsigned colors[] = { 8, 16, 256 };
	const char *name;

	for (size_t i = 0; (name = theme_builtin(i)) != NULL; i++) {
		struct theme theme;

		assert_int_equal(theme_load(name, &theme, NULL), OK);
		for (size_t c = 0; c < ROWS(colors) * STYLE_COUNT; c++) {
			enum style style = (enum style)(c % STYLE_COUNT);
			unsigned n = colors[c / STYLE_COUNT];
			struct color fg = theme_fg(&theme, style, 50);
			struct color bg = theme.styles[style].bg;
			int f = color_nearest_text(fg, bg, n);
			int b = color_nearest(bg, n);

			check(f < (int)n && b < (int)n, "%s", name);
			check(style == STYLE_FRAME || f != b || f == -1,
				"%s: %s is hidden with %u colours", name,
				style_name(style), n);
		}
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_good),
		cmocka_unit_test(test_bad),
		cmocka_unit_test(test_syntax),
		cmocka_unit_test(test_load),
		cmocka_unit_test(test_shipped),
		cmocka_unit_test(test_contrast),
		cmocka_unit_test(test_distinct),
		cmocka_unit_test(test_few_colors),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
