#include "corpus/dictionary.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/dir.h"
#include "base/file.h"
#include "base/hash_set.h"
#include "base/text.h"
#include "base/xmalloc.h"

#define DICTIONARY_FILE_MAX (16u << 20)
#define DICTIONARY_LEVEL_MAX 1000u

struct reader {
	const char *start, *at, *end;
};

static enum status
reader_fail(const struct reader *r, size_t *column, struct error *err,
	const char *what)
{
	*column = (size_t)(r->at - r->start) + 1;
	return error_set(err, E_FORMAT, "%s", what);
}

static void
reader_skip_blanks(struct reader *r)
{
	while (r->at < r->end && (*r->at == ' ' || *r->at == '\t'))
		r->at++;
}

/* Reads `name` or `name@level`, with the `=` that follows. */
static enum status
reader_name(struct reader *r, unsigned *level, size_t *column,
	struct error *err)
{
	*level = 0;
	while (r->at < r->end && isgraph((unsigned char)*r->at) &&
		strchr("@=\"", *r->at) == NULL)
		r->at++;
	if (r->at < r->end && *r->at == '@') {
		r->at++;
		if (r->at == r->end || !isdigit((unsigned char)*r->at))
			return reader_fail(r, column, err,
				"a level is a number");
		while (r->at < r->end && isdigit((unsigned char)*r->at)) {
			if (*level < DICTIONARY_LEVEL_MAX)
				*level = *level * 10 + (unsigned)(*r->at - '0');
			r->at++;
		}
		if (*level > DICTIONARY_LEVEL_MAX)
			*level = DICTIONARY_LEVEL_MAX;
	}
	reader_skip_blanks(r);
	if (r->at == r->end || *r->at != '=')
		return reader_fail(r, column, err,
			"= is missing after the name");
	r->at++;
	reader_skip_blanks(r);
	return OK;
}

static enum status
reader_escape(struct reader *r, uint8_t *byte, size_t *column,
	struct error *err)
{
	if (r->end - r->at >= 2 && (r->at[1] == '\\' || r->at[1] == '"')) {
		*byte = (uint8_t)r->at[1];
		r->at += 2;
		return OK;
	}
	if (r->end - r->at >= 4 && r->at[1] == 'x' &&
		isxdigit((unsigned char)r->at[2]) &&
		isxdigit((unsigned char)r->at[3])) {
		const char digits[] = { r->at[2], r->at[3], '\0' };

		*byte = (uint8_t)strtoul(digits, NULL, 16);
		r->at += 4;
		return OK;
	}
	return reader_fail(r, column, err,
		"after a backslash comes \\, \" or x and two hex digits");
}

/* Reads the bytes up to r->end, the end of the word. */
static enum status
reader_bytes(struct reader *r, uint8_t *word, size_t *len, size_t *column,
	struct error *err)
{
	uint8_t byte;

	for (; r->at < r->end; word[(*len)++] = byte) {
		if (*len == MEMORY_WORD_LEN_MAX)
			return reader_fail(r, column, err,
				"a word has at most 128 bytes");
		byte = (uint8_t)*r->at;
		if (byte < ' ' || byte > '~')
			return reader_fail(r, column, err,
				"write this byte as \\x and two hex digits");
		if (byte != '\\')
			r->at++;
		else if (reader_escape(r, &byte, column, err) != OK)
			return E_FORMAT;
	}
	return OK;
}

/* A word ends at the last " of its line, so a " inside needs no escape. */
static enum status
reader_value(struct reader *r, uint8_t *word, size_t *len, size_t *column,
	struct error *err)
{
	const char *end = r->end, *close;

	if (r->at == r->end || *r->at != '"')
		return reader_fail(r, column, err,
			"a word stands between two \"");
	r->at++;
	close = memrchr(r->at, '"', (size_t)(r->end - r->at));
	r->end = close != NULL ? close : end;
	if (reader_bytes(r, word, len, column, err) != OK)
		return E_FORMAT;
	if (close == NULL)
		return reader_fail(r, column, err, "the closing \" is missing");
	if (*len == 0)
		return reader_fail(r, column, err, "the word is empty");
	r->at++;
	r->end = end;
	reader_skip_blanks(r);
	if (r->at < r->end)
		return reader_fail(r, column, err,
			"nothing may follow the word");
	return OK;
}

enum status
dictionary_parse_line(const char *line, size_t line_len,
	uint8_t word[MEMORY_WORD_LEN_MAX], size_t *len, unsigned *level,
	size_t *column, struct error *err)
{
	struct reader r = { line, line, line + line_len };

	*len = 0;
	*level = 0;
	while (r.end > r.at &&
		(r.end[-1] == '\r' || r.end[-1] == ' ' || r.end[-1] == '\t'))
		r.end--;
	reader_skip_blanks(&r);
	if (r.at == r.end || *r.at == '#')
		return OK;
	if (*r.at != '"' && reader_name(&r, level, column, err) != OK)
		return E_FORMAT;
	return reader_value(&r, word, len, column, err);
}

_Static_assert(MEMORY_WORDS_MAX < HASH_SET_MAX,
	"the set has room for all words");

/* ---- loading ------------------------------------------------------------- */

struct loader {
	char name[512]; /* cleaned */
	unsigned level;
	struct campaign_memory *memory;
	struct hash_set known; /* the campaign's words */
	dictionary_say_fn *say;
	void *arg;
	size_t words;  /* usable ones, with those already known */
	size_t higher; /* above the level */
	size_t bad;
	char first[ERROR_TEXT_MAX]; /* the first error */
};

__attribute__((format(printf, 2, 3))) static void
loader_complain(struct loader *l, const char *format, ...)
{
	char raw[ERROR_TEXT_MAX], text[ERROR_TEXT_MAX];
	va_list ap;

	if (l->bad++ >= DICTIONARY_SAID_MAX)
		return;
	va_start(ap, format);
	(void)vsnprintf(raw, sizeof(raw), format, ap);
	va_end(ap);
	text_clean_string(raw, text, sizeof(text));
	if (l->bad == 1)
		(void)snprintf(l->first, sizeof(l->first), "%s", text);
	l->say(l->arg, text);
}

/* False: there is no room for the word. */
static bool
loader_add(struct loader *l, const uint8_t *word, size_t len)
{
	l->words++;
	return !hash_set_add(&l->known, 0, word, len) ||
		campaign_memory_add_word(l->memory, word, len);
}

static void
loader_line(struct loader *l, size_t line, const char *text, size_t len)
{
	uint8_t word[MEMORY_WORD_LEN_MAX];
	struct error why = { 0 };
	size_t word_len, column;
	unsigned level;

	if (dictionary_parse_line(text, len, word, &word_len, &level, &column,
		    &why) != OK)
		loader_complain(l, "dictionary %s, line %zu, column %zu: %s",
			l->name, line, column, why.text);
	else if (level > l->level)
		l->higher++;
	else if (word_len > 0 && !loader_add(l, word, word_len))
		loader_complain(l,
			"dictionary %s, line %zu, column 1: too many words, at "
			"most %u fit",
			l->name, line, MEMORY_WORDS_MAX);
}

static void
loader_text(struct loader *l, const char *text, size_t len)
{
	const char *end = text + len, *newline;
	size_t line;

	for (line = 1; text < end; text = newline + 1, line++) {
		newline = memchr(text, '\n', (size_t)(end - text));
		if (newline == NULL)
			newline = end;
		loader_line(l, line, text, (size_t)(newline - text));
	}
}

/* The content of each file in a folder is a word. */
static void
loader_token(struct loader *l, int folder, const char *file)
{
	char name[256];
	struct error why = { 0 };
	uint8_t *word;
	enum status status;
	size_t len;

	text_clean_string(file, name, sizeof(name));
	status = file_read_at(folder, file, MEMORY_WORD_LEN_MAX, &word, &len,
		&why);
	if (status == E_RANGE)
		loader_complain(l,
			"dictionary %s/%s: a word has at most %u bytes",
			l->name, name, MEMORY_WORD_LEN_MAX);
	else if (status != OK)
		loader_complain(l, "dictionary %s: %s", l->name, why.text);
	else if (len > 0 && !loader_add(l, word, len))
		loader_complain(l,
			"dictionary %s/%s: too many words, at most %u fit",
			l->name, name, MEMORY_WORDS_MAX);
	if (status == OK)
		free(word);
}

static enum status
loader_folder(struct loader *l, const char *path, struct error *err)
{
	struct dir_names names;
	enum status status;
	size_t i;
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return error_set(err, E_IO, "cannot read %s: %s", l->name,
			strerror(errno));
	status = dir_list(fd, &names, err);
	if (status == OK) {
		for (i = 0; i < names.n; i++)
			loader_token(l, fd, names.items[i]);
		dir_names_clear(&names);
	}
	close(fd);
	return status;
}

static enum status
loader_file(struct loader *l, const char *path, struct error *err)
{
	enum status status;
	uint8_t *text;
	size_t len;

	status = file_read(path, DICTIONARY_FILE_MAX, &text, &len, err);
	if (status != OK)
		return status;
	loader_text(l, (const char *)text, len);
	free(text);
	return OK;
}

/* Reports how many more errors there were; fails if there is no usable word. */
static enum status
loader_finish(struct loader *l, struct error *err)
{
	char text[ERROR_TEXT_MAX];

	if (l->words == 0 && l->bad > 0)
		return error_set(err, E_USAGE, "no word can be used: %s",
			l->first);
	if (l->words == 0 && l->higher > 0)
		return error_set(err, E_USAGE,
			"dictionary %s has no word of level %u or below; "
			"%s@%u takes higher ones",
			l->name, l->level, l->name, l->level + 1);
	if (l->words == 0)
		return error_set(err, E_USAGE, "dictionary %s has no word",
			l->name);
	if (l->bad > DICTIONARY_SAID_MAX) {
		(void)snprintf(text, sizeof(text),
			"dictionary %s: and %zu more", l->name,
			l->bad - DICTIONARY_SAID_MAX);
		l->say(l->arg, text);
	}
	return OK;
}

/* Splits `FILE@LEVEL` and cuts the level off the path. */
static bool
split_level(char *path, unsigned *level)
{
	char *at = strrchr(path, '@'), *end;
	unsigned long n;

	*level = 0;
	if (at == NULL || !isdigit((unsigned char)at[1]))
		return false;
	n = strtoul(at + 1, &end, 10);
	if (*end != '\0')
		return false;
	*level = n < DICTIONARY_LEVEL_MAX ? (unsigned)n : DICTIONARY_LEVEL_MAX;
	*at = '\0';
	return true;
}

static enum status
loader_path(struct loader *l, char *path, struct error *err)
{
	bool has_level = split_level(path, &l->level);
	enum status status;

	text_clean_string(path, l->name, sizeof(l->name));
	if (dir_exists(path))
		status = has_level
			? error_set(err, E_USAGE,
				  "%s is a folder: its words have no levels",
				  l->name)
			: loader_folder(l, path, err);
	else
		status = loader_file(l, path, err);
	return status == OK ? loader_finish(l, err)
			    : error_wrap(err, "dictionary");
}

enum status
dictionary_load(const char *file, struct campaign_memory *memory,
	dictionary_say_fn *say, void *arg, struct error *err)
{
	struct loader *l = xcalloc(1, sizeof(*l));
	struct tokens words = campaign_memory_words(memory);
	char *path = xstrdup(file);
	enum status status;

	l->memory = memory;
	l->say = say;
	l->arg = arg;
	for (uint32_t i = 0; i < words.n; i++)
		(void)hash_set_add(&l->known, 0, words.items[i].bytes,
			words.items[i].len);
	status = loader_path(l, path, err);
	free(path);
	hash_set_clear(&l->known);
	free(l);
	return status;
}
