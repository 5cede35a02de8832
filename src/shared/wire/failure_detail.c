/*
 * failure_detail: the words of a failure that tell apart failures at the same
 * place: the condition of an assertion, or whether a sanitizer saw a read or a
 * write. See failure_detail().
 */

#include "shared/wire/failure.h"

#include <string.h>

/*
 * The sentence of an assertion: the text before the condition, and the texts
 * that may end it. The first end found counts; without one the condition is the
 * rest of the text.
 */
static const struct detail_form {
	const char *before;
	const char *ends[3];
} DETAIL_FORMS[] = {
	{ "Assertion `", { "' failed" } }, /* glibc, musl's neighbours */
	{ "Assertion '", { "' failed" } }, /* libstdc++ */
	{ "Assertion failed: ", { ", function ", " (", ", file " } },
	{ "assertion failed: ", { NULL } }, /* glib */
	{ "assertion failed ", { " at ", " (" } },
	{ "Check failed: ", { " (", " Expected" } }, /* abseil, Chromium */
	{ "CHECK failed: ", { " (", ": " } },        /* protobuf */
};

#define DETAIL_N(array) (sizeof(array) / sizeof((array)[0]))

static bool
detail_is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
		(c >= '0' && c <= '9') || c == '_';
}

static bool
detail_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/*
 * Numbers and addresses become 'N', because they may come from the input;
 * digits inside a name ("x1") stay. Bytes other than printable ASCII become
 * '?', as they do in JSON, too.
 */
static void
detail_copy(const char *from, size_t len, char *buf, size_t size)
{
	size_t n = 0, i = 0;

	while (i < len && n + 1 < size) {
		bool inside = i > 0 && detail_is_word(from[i - 1]);

		if (detail_is_digit(from[i]) && !inside) {
			while (i < len && detail_is_word(from[i]))
				i++;
			buf[n++] = 'N';
			continue;
		}
		buf[n++] = from[i] >= ' ' && from[i] <= '~' ? from[i] : '?';
		i++;
	}
	buf[n] = '\0';
}

/* The length of the condition. */
static size_t
detail_len(const char *condition, const struct detail_form *form)
{
	size_t len = strlen(condition);

	for (size_t i = 0; i < DETAIL_N(form->ends); i++) {
		const char *end = form->ends[i] != NULL
			? strstr(condition, form->ends[i])
			: NULL;

		if (end != NULL && (size_t)(end - condition) < len)
			len = (size_t)(end - condition);
	}
	return len;
}

static void
detail_assertion(const char *text, char *buf, size_t size)
{
	for (size_t i = 0; i < DETAIL_N(DETAIL_FORMS); i++) {
		const char *found = strstr(text, DETAIL_FORMS[i].before);

		if (found == NULL)
			continue;
		found += strlen(DETAIL_FORMS[i].before);
		detail_copy(found, detail_len(found, &DETAIL_FORMS[i]), buf,
			size);
		return;
	}
}

void
failure_detail(const struct failure *failure, char *buf, size_t size)
{
	char text[FAILURE_TEXT_MAX];

	buf[0] = '\0';
	memcpy(text, failure->text, sizeof(text));
	text[sizeof(text) - 1] = '\0';
	if (failure->kind == FAILURE_SIGNAL &&
		strcmp(failure->what, "SIGABRT") == 0)
		detail_assertion(text, buf, size);
	else if (failure->kind == FAILURE_SANITIZER &&
		strstr(text, " (READ of size ") != NULL)
		detail_copy("READ", 4, buf, size);
	else if (failure->kind == FAILURE_SANITIZER &&
		strstr(text, " (WRITE of size ") != NULL)
		detail_copy("WRITE", 5, buf, size);
}
