/*
 * settings_value: parses and formats the value of one option, see settings.h.
 *
 * A value is parsed completely before the member of struct settings changes.
 * The row's offset locates that member; its C type depends only on the type of
 * the option.
 */

#include "control/settings_value.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/xmalloc.h"

#define OPTION_SHOWN 64 /* bytes of a bad value quoted in a message */
#define OPTION_MB (1u << 20)

/* The parsed value of an option of any type. */
struct option_value {
	uint64_t number; /* flags and all whole numbers */
	struct budget budget;
};

static void *
option_field(struct settings *settings, const struct option *row)
{
	return (char *)settings + row->offset;
}

/* ---- messages ----------------------------------------------------------- */

/* Writes `"value" <expected>`; the caller adds the option's name in front. */
__attribute__((format(printf, 4, 5))) static enum status
option_error(struct error *err, enum status code, const char *value,
	const char *fmt, ...)
{
	char shown[OPTION_SHOWN], advice[512];
	va_list ap;

	text_clean_string(value, shown, sizeof(shown));
	va_start(ap, fmt);
	vsnprintf(advice, sizeof(advice), fmt, ap);
	va_end(ap);
	return error_set(err, code, "\"%s\" %s", shown, advice);
}

/* ---- numbers ------------------------------------------------------------ */

static bool
option_digits(const char *text, char **end, uint64_t *number)
{
	if (!isdigit((unsigned char)*text))
		return false;
	errno = 0;
	*number = strtoull(text, end, 10);
	return errno == 0;
}

static enum status
option_check_range(const struct option *row, const char *text, uint64_t number,
	struct error *err)
{
	if (number >= row->min && number <= row->max)
		return OK;
	return option_error(err, E_RANGE, text,
		"is out of range, which is %" PRIu64 " to %" PRIu64, row->min,
		row->max);
}

static enum status
option_parse_count(const struct option *row, const char *text, uint64_t *number,
	struct error *err)
{
	char *end;

	if (!option_digits(text, &end, number) || *end)
		return option_error(err, E_FORMAT, text,
			"is not a whole number from %" PRIu64 " to %" PRIu64,
			row->min, row->max);
	return option_check_range(row, text, *number, err);
}

static enum status
option_parse_seed(const char *text, uint64_t *number, struct error *err)
{
	bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
	char *end = NULL;

	errno = 0;
	if (hex && isxdigit((unsigned char)text[2]))
		*number = strtoull(text + 2, &end, 16);
	else if (isdigit((unsigned char)*text))
		*number = strtoull(text, &end, 10);
	if (end && !*end && errno == 0)
		return OK;
	return option_error(err, E_FORMAT, text,
		"is not a 64-bit number such as 42 or 0x2a");
}

/* A number without a unit is in milliseconds. */
static enum status
option_parse_ms(const struct option *row, const char *text, uint64_t *ms,
	struct error *err)
{
	char low[32], high[32], *end;

	if (!option_digits(text, &end, ms) || *end) {
		if (duration_parse(text, ms, NULL) != OK)
			return option_error(err, E_FORMAT, text,
				"is not a time; write milliseconds or a unit, "
				"such as 250, 250ms or 2s");
	}
	if (*ms >= row->min && *ms <= row->max)
		return OK;
	duration_format(row->min, low, sizeof(low));
	duration_format(row->max, high, sizeof(high));
	return option_error(err, E_RANGE, text,
		"is out of range, which is %s to %s", low, high);
}

/* The factor of a suffix (`k`, `M`, `MB`, `MiB`), 0: unknown. */
static uint64_t
option_size_factor(const char *suffix)
{
	static const char letters[] = "kmgt";
	const char *letter = strchr(letters, tolower((unsigned char)*suffix));

	if (!*suffix || !letter)
		return 0;
	suffix++;
	if (*suffix && strcasecmp(suffix, "b") != 0 &&
		strcasecmp(suffix, "ib") != 0)
		return 0;
	return (uint64_t)1 << (10 * (letter - letters + 1));
}

static void
option_format_size(uint64_t bytes, char *buf, size_t size)
{
	static const char letters[] = "\0KMGT";
	size_t i = 0;

	while (bytes && bytes % 1024 == 0 && i < sizeof(letters) - 2) {
		bytes /= 1024;
		i++;
	}
	snprintf(buf, size, "%" PRIu64 "%.1s", bytes, &letters[i]);
}

/*
 * A bare number is in units; a number with a suffix must be a multiple of the
 * unit.
 */
static enum status
option_parse_size(const struct option *row, uint64_t unit, const char *text,
	uint64_t *number, struct error *err)
{
	char low[32], high[32], *end;
	uint64_t bytes, factor;
	bool fits;

	if (!option_digits(text, &end, number))
		return option_error(err, E_FORMAT, text,
			"is not a size such as 64K, 2048M or 2G");
	factor = *end ? option_size_factor(end) : unit;
	if (factor == 0)
		return option_error(err, E_FORMAT, text,
			"is not a size such as 64K, 2048M or 2G");
	fits = !__builtin_mul_overflow(*number, factor, &bytes);
	if (fits && bytes % unit)
		return option_error(err, E_FORMAT, text,
			"is not a whole number of megabytes");
	if (fits)
		*number = bytes / unit;
	if (fits && *number >= row->min && *number <= row->max)
		return OK;
	option_format_size(row->min * unit, low, sizeof(low));
	option_format_size(row->max * unit, high, sizeof(high));
	return option_error(err, E_RANGE, text,
		"is out of range, which is %s to %s", low, high);
}

/* ---- the other types ---------------------------------------------------- */

static enum status
option_parse_flag(const char *text, uint64_t *number, struct error *err)
{
	static const char *const words[][2] = { { "off", "on" },
		{ "no", "yes" }, { "false", "true" }, { "0", "1" } };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		for (uint64_t j = 0; j < 2; j++) {
			if (strcmp(text, words[i][j]) == 0) {
				*number = j;
				return OK;
			}
		}
	}
	return option_error(err, E_FORMAT, text, "is neither on nor off");
}

static enum status
option_parse_budget(const struct option *row, const char *text,
	struct budget *budget, struct error *err)
{
	enum status status = budget_parse(text, budget, err);
	size_t len = strlen(text);
	char shown[OPTION_SHOWN];

	if (status != OK)
		return status;
	if (budget->duration_ms > row->max)
		return option_error(err, E_RANGE, text, "is too long");
	if (budget->duration_ms || budget->executions || row->min == 0 ||
		strcmp(text, "none") == 0)
		return OK;
	text_clean_string(text, shown, sizeof(shown));
	return error_set(err, E_FORMAT,
		"invalid %s \"%s\": it must be more than 0; write none "
		"for no limit",
		text[len - 1] == 'x' ? "count" : "duration", shown);
}

/* Checks that the word is in the list `a|b|c`. */
static enum status
option_check_word(const struct option *row, const char *text, struct error *err)
{
	size_t len = strlen(text);

	for (const char *word = row->words; *word;) {
		size_t n = strcspn(word, "|");

		if (n == len && strncmp(word, text, n) == 0)
			return OK;
		word += n + (word[n] == '|');
	}
	if (!strchr(row->words, '|'))
		return option_error(err, E_FORMAT, text,
			"is not known; there is %s", row->words);
	return option_error(err, E_FORMAT, text,
		"is not known; choose one of %s", row->words);
}

static enum status
option_parse(const struct option *row, const char *text,
	struct option_value *value, struct error *err)
{
	switch (row->type) {
	case OPTION_FLAG:
		return option_parse_flag(text, &value->number, err);
	case OPTION_COUNT:
		return option_parse_count(row, text, &value->number, err);
	case OPTION_SEED:
		return option_parse_seed(text, &value->number, err);
	case OPTION_MS:
		return option_parse_ms(row, text, &value->number, err);
	case OPTION_MEGABYTE:
		return option_parse_size(row, OPTION_MB, text, &value->number,
			err);
	case OPTION_BYTES:
		return option_parse_size(row, 1, text, &value->number, err);
	case OPTION_BUDGET:
		return option_parse_budget(row, text, &value->budget, err);
	case OPTION_WORD:
		return option_check_word(row, text, err);
	case OPTION_TEXT:
		return OK;
	case OPTION_TEXTS:
		if (*text)
			return OK;
		return error_set(err, E_FORMAT, "the name is empty");
	}
	return error_set(err, E_INTERNAL, "unknown type %d", (int)row->type);
}

/* ---- fields ------------------------------------------------------------- */

static void
option_add_text(struct texts *texts, const char *text)
{
	texts->items =
		xreallocarray(texts->items, texts->n + 1, sizeof(char *));
	texts->items[texts->n++] = xstrdup(text);
}

/* Stores a valid value. */
static void
option_store(struct settings *settings, const struct option *row,
	const char *text, const struct option_value *value)
{
	void *field = option_field(settings, row);
	char **string = field;

	switch (row->type) {
	case OPTION_FLAG:
		*(bool *)field = value->number != 0;
		break;
	case OPTION_BUDGET:
		*(struct budget *)field = value->budget;
		break;
	case OPTION_WORD:
	case OPTION_TEXT: {
		char *copy = xstrdup(text); /* text may be the old value */

		free(*string);
		*string = copy;
		break;
	}
	case OPTION_TEXTS:
		option_add_text(field, text);
		break;
	default:
		*(uint64_t *)field = value->number;
		break;
	}
}

void
option_set_default(struct settings *settings, const struct option *row)
{
	struct option_value value = { 0 };

	/* settings_init() sets the number of processors */
	if (row->type == OPTION_TEXTS || row->id == OPT_PARALLEL)
		return;
	if (option_parse(row, row->def, &value, NULL) != OK)
		abort(); /* the table is wrong; a unit test checks each row */
	option_store(settings, row, row->def, &value);
}

void
option_release(struct settings *settings, const struct option *row)
{
	void *field = option_field(settings, row);
	struct texts *texts = field;

	if (row->type == OPTION_WORD || row->type == OPTION_TEXT) {
		free(*(char **)field);
	} else if (row->type == OPTION_TEXTS) {
		for (size_t i = 0; i < texts->n; i++)
			free(texts->items[i]);
		free(texts->items);
	}
}

void
option_own(struct settings *settings, const struct option *row)
{
	void *field = option_field(settings, row);
	struct texts *texts = field, old;
	char **string = field;

	if (row->type == OPTION_WORD || row->type == OPTION_TEXT) {
		*string = *string ? xstrdup(*string) : NULL;
	} else if (row->type == OPTION_TEXTS) {
		old = *texts;
		*texts = (struct texts){ 0 };
		for (size_t i = 0; i < old.n; i++)
			option_add_text(texts, old.items[i]);
	}
}

/* ---- the public two ----------------------------------------------------- */

enum status
settings_set(struct settings *settings, const char *name, const char *value,
	enum option_origin origin, struct error *err)
{
	const struct option *row = settings_find(name);
	struct option_value parsed = { 0 };
	char shown[OPTION_SHOWN];
	const char *near;
	enum status status;

	if (!row) {
		near = settings_nearest(name, 0, NULL);
		text_clean_string(name, shown, sizeof(shown));
		return error_set(err, E_NOT_FOUND,
			near ? "there is no option \"%s\"; did you mean %s?"
			     : "there is no option \"%s\"",
			shown, near);
	}
	if (origin == ORIGIN_KEY && !(row->flags & OPTION_LIVE))
		return error_set(err, E_STATE,
			"%s cannot be changed while a campaign runs",
			row->name);
	status = option_parse(row, value, &parsed, err);
	if (status != OK) {
		error_wrap(err, "%s%s", origin == ORIGIN_FLAG ? "--" : "",
			row->name);
		return status;
	}
	option_store(settings, row, value, &parsed);
	settings->origin[row->id] = (uint8_t)origin;
	return OK;
}

static void
option_format_texts(const struct texts *texts, char *buf, size_t size)
{
	size_t len = 0;

	buf[0] = '\0';
	for (size_t i = 0; i < texts->n && len < size; i++)
		len += (size_t)snprintf(buf + len, size - len, "%s%s",
			i ? ", " : "", texts->items[i]);
}

void
settings_format(const struct settings *settings, enum option_id id, char *buf,
	size_t size)
{
	const struct option *row = settings_option(id);
	const void *field = (const char *)settings + row->offset;
	const struct budget *budget = field;

	if (size == 0)
		return;
	switch (row->type) {
	case OPTION_FLAG:
		snprintf(buf, size, "%s", *(const bool *)field ? "on" : "off");
		break;
	case OPTION_MS:
		duration_format(*(const uint64_t *)field, buf, size);
		break;
	case OPTION_MEGABYTE:
		option_format_size(*(const uint64_t *)field * OPTION_MB, buf,
			size);
		break;
	case OPTION_BYTES:
		option_format_size(*(const uint64_t *)field, buf, size);
		break;
	case OPTION_BUDGET:
		if (row->min == 0 && !budget->duration_ms &&
			!budget->executions)
			snprintf(buf, size, "off");
		else
			budget_format(budget, buf, size);
		break;
	case OPTION_WORD:
	case OPTION_TEXT:
		snprintf(buf, size, "%s", *(char *const *)field);
		break;
	case OPTION_TEXTS:
		option_format_texts(field, buf, size);
		break;
	default:
		snprintf(buf, size, "%" PRIu64, *(const uint64_t *)field);
		break;
	}
}
