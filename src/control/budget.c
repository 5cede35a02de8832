/*
 * budget: durations and numbers of executions as text, see budget.h.
 *
 * The syntax is that of Go, which its users know by heart: `1h30m`, `1.5s`,
 * `10000x`. Sums are kept in nanoseconds and checked for overflow.
 */

#include "control/budget.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

#define BUDGET_SHOWN 64 /* bytes of a bad value quoted in a message */
#define BUDGET_NS_MAX ((uint64_t)INT64_MAX)
#define BUDGET_NS_PER_MS 1000000u

struct budget_unit {
	const char *name;
	uint64_t ns;
};

/* Longer names first: "ms" must not be read as "m". */
static const struct budget_unit BUDGET_UNITS[] = {
	{ "ns", 1 },
	{ "us", 1000 },
	{ "µs", 1000 },
	{ "ms", 1000000 },
	{ "s", 1000000000 },
	{ "m", 60000000000 },
	{ "h", 3600000000000 },
	{ "d", 86400000000000 },
};
#define BUDGET_UNITS_N (sizeof(BUDGET_UNITS) / sizeof(BUDGET_UNITS[0]))

static enum status
budget_error(struct error *err, const char *what, const char *text,
	const char *advice)
{
	char shown[BUDGET_SHOWN];

	text_clean_string(text, shown, sizeof(shown));
	return error_set(err, E_FORMAT, "invalid %s \"%s\": %s", what, shown,
		advice);
}

static const struct budget_unit *
budget_unit_next(const char **text)
{
	for (size_t i = 0; i < BUDGET_UNITS_N; i++) {
		size_t len = strlen(BUDGET_UNITS[i].name);

		if (strncmp(*text, BUDGET_UNITS[i].name, len) == 0) {
			*text += len;
			return &BUDGET_UNITS[i];
		}
	}
	return NULL;
}

/* Adds value x scale to *ns; false: the sum is out of range. */
static bool
budget_add(uint64_t *ns, uint64_t value, uint64_t scale)
{
	uint64_t product;

	return !__builtin_mul_overflow(value, scale, &product) &&
		!__builtin_add_overflow(*ns, product, ns) &&
		*ns <= BUDGET_NS_MAX;
}

/* Reads digits at *text; false: the number overflows. */
static bool
budget_digits(const char **text, uint64_t *value)
{
	for (*value = 0; isdigit((unsigned char)**text); ++*text) {
		unsigned digit = (unsigned)(**text - '0');

		if (__builtin_mul_overflow(*value, 10u, value) ||
			__builtin_add_overflow(*value, digit, value))
			return false;
	}
	return true;
}

/*
 * Reads digits after the decimal point and returns nanoseconds, rounded to the
 * nearest.
 */
static uint64_t
budget_fraction(const char **text, uint64_t unit_ns)
{
	double share = 0, place = 0.1;

	for (; isdigit((unsigned char)**text); ++*text) {
		share += (**text - '0') * place;
		place /= 10;
	}
	return (uint64_t)(share * (double)unit_ns + 0.5);
}

/* One number with its unit: `30s`, `1.5h`. */
static bool
duration_part(const char **text, uint64_t *ns)
{
	const char *start = *text, *digits_end, *fraction = NULL;
	const struct budget_unit *unit;
	uint64_t value;

	if (!budget_digits(text, &value))
		return false;
	digits_end = *text;
	if (**text == '.') {
		fraction = ++*text;
		*text += strspn(*text, "0123456789");
	}
	if (digits_end == start && (!fraction || *text == fraction))
		return false;
	unit = budget_unit_next(text);
	if (!unit || !budget_add(ns, value, unit->ns))
		return false;
	return !fraction ||
		budget_add(ns, budget_fraction(&fraction, unit->ns), 1);
}

static bool
budget_is_bare_number(const char *text)
{
	return *text && text[strspn(text, "0123456789.")] == '\0';
}

static enum status
duration_error(struct error *err, const char *text)
{
	char advice[3 * BUDGET_SHOWN], shown[BUDGET_SHOWN];

	if (!budget_is_bare_number(text) || strlen(text) >= sizeof(shown))
		return budget_error(err, "duration", text,
			"write a time such as 30s, 1h30m or 250ms");
	snprintf(advice, sizeof(advice),
		"the unit is missing; write %ss for seconds", text);
	return budget_error(err, "duration", text, advice);
}

enum status
duration_parse(const char *text, uint64_t *ms, struct error *err)
{
	const char *next = text;
	uint64_t ns = 0;

	if (strcmp(text, "0") == 0) {
		*ms = 0;
		return OK;
	}
	do {
		if (!duration_part(&next, &ns))
			return duration_error(err, text);
	} while (*next);
	*ms = ns / BUDGET_NS_PER_MS + (ns % BUDGET_NS_PER_MS != 0);
	return OK;
}

static enum status
count_parse(const char *text, uint64_t *executions, struct error *err)
{
	const char *next = text;

	if (*text == 'x' || !budget_digits(&next, executions) ||
		strcmp(next, "x") != 0 || *executions > INT64_MAX)
		return budget_error(err, "count", text,
			"write a number of executions such as 10000x");
	return OK;
}

enum status
budget_parse(const char *text, struct budget *budget, struct error *err)
{
	struct budget parsed = { 0 };
	size_t len = strlen(text);
	enum status status = OK;
	char advice[3 * BUDGET_SHOWN];

	if (len && text[len - 1] == 'x') {
		status = count_parse(text, &parsed.executions, err);
	} else if (strcmp(text, "none") != 0 && strcmp(text, "off") != 0) {
		if (budget_is_bare_number(text) && strcmp(text, "0") != 0 &&
			len < BUDGET_SHOWN) {
			snprintf(advice, sizeof(advice),
				"write %ss for seconds or %sx for executions",
				text, text);
			return budget_error(err, "duration", text, advice);
		}
		status = duration_parse(text, &parsed.duration_ms, err);
	}
	if (status == OK)
		*budget = parsed;
	return status;
}

void
duration_format(uint64_t ms, char *buf, size_t size)
{
	uint64_t hours = ms / 3600000;
	unsigned minutes = (unsigned)(ms / 60000 % 60);
	unsigned seconds = (unsigned)(ms / 1000 % 60);
	unsigned rest = (unsigned)(ms % 1000);
	char text[64];
	size_t len = 0;

	if (hours)
		len += (size_t)snprintf(text, sizeof(text), "%" PRIu64 "h",
			hours);
	if (minutes)
		len += (size_t)snprintf(text + len, sizeof(text) - len, "%um",
			minutes);
	if (rest && ms < 1000)
		len += (size_t)snprintf(text + len, sizeof(text) - len, "%ums",
			rest);
	else if (rest)
		len += (size_t)snprintf(text + len, sizeof(text) - len,
			"%u.%03us", seconds, rest);
	else if (seconds || len == 0)
		len += (size_t)snprintf(text + len, sizeof(text) - len, "%us",
			seconds);
	snprintf(buf, size, "%.*s", (int)len, text);
}

bool
budget_is_zero(const struct budget *budget)
{
	return budget->duration_ms == 0 && budget->executions == 0;
}

void
budget_format(const struct budget *budget, char *buf, size_t size)
{
	if (budget->executions)
		snprintf(buf, size, "%" PRIu64 "x", budget->executions);
	else if (budget->duration_ms)
		duration_format(budget->duration_ms, buf, size);
	else
		snprintf(buf, size, "none");
}
