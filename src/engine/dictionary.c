#include "engine/dictionary.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "base/xmalloc.h"

#define DICTIONARY_FILE_MAX (16u << 20)

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

static int
hex_value(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c = (char)(c | 0x20);
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* `name`, `name@level`, each before a `=`. */
static enum status
reader_name(struct reader *r, unsigned *level, size_t *column,
	struct error *err)
{
	*level = 0;
	while (r->at < r->end &&
		(isalnum((unsigned char)*r->at) || strchr("_-.:/+", *r->at)))
		r->at++;
	if (r->at < r->end && *r->at == '@') {
		r->at++;
		if (r->at == r->end || !isdigit((unsigned char)*r->at))
			return reader_fail(r, column, err,
				"a level is a number");
		while (r->at < r->end && isdigit((unsigned char)*r->at)) {
			if (*level < 1000)
				*level = *level * 10 + (unsigned)(*r->at - '0');
			r->at++;
		}
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
	int high, low;

	if (r->end - r->at >= 2 && (r->at[1] == '\\' || r->at[1] == '"')) {
		*byte = (uint8_t)r->at[1];
		r->at += 2;
		return OK;
	}
	if (r->end - r->at >= 4 && r->at[1] == 'x') {
		high = hex_value(r->at[2]);
		low = hex_value(r->at[3]);
		if (high >= 0 && low >= 0) {
			*byte = (uint8_t)(high << 4 | low);
			r->at += 4;
			return OK;
		}
	}
	return reader_fail(r, column, err,
		"after a backslash comes \\, \" or x and two hex digits");
}

static enum status
reader_value(struct reader *r, uint8_t *word, size_t *len, size_t *column,
	struct error *err)
{
	uint8_t byte;

	if (r->at == r->end || *r->at != '"')
		return reader_fail(r, column, err,
			"a word stands between two \"");
	for (r->at++; r->at < r->end && *r->at != '"'; word[(*len)++] = byte) {
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
	if (r->at == r->end)
		return reader_fail(r, column, err, "the closing \" is missing");
	if (*len == 0)
		return reader_fail(r, column, err, "the word is empty");
	r->at++;
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

static enum status
dictionary_load_text(const char *file, const char *text, size_t len,
	unsigned max_level, struct campaign_memory *memory, struct error *err)
{
	const char *end = text + len, *newline;
	uint8_t word[MEMORY_WORD_LEN_MAX];
	size_t word_len, column = 1, line = 1;
	struct error why = { 0 };
	unsigned level;

	for (; text < end; text = newline + 1, line++) {
		newline = memchr(text, '\n', (size_t)(end - text));
		if (newline == NULL)
			newline = end;
		if (dictionary_parse_line(text, (size_t)(newline - text), word,
			    &word_len, &level, &column, &why) != OK)
			return error_set(err, E_USAGE,
				"dictionary %s, line %zu, column %zu: %s", file,
				line, column, why.text);
		if (word_len > 0 && level <= max_level &&
			!campaign_memory_add_word(memory, word, word_len))
			return error_set(err, E_USAGE,
				"dictionary %s, line %zu: there may be %u words "
				"in all",
				file, line, MEMORY_WORDS_MAX);
	}
	return OK;
}

/* `FILE@LEVEL`: cuts the level off the path. */
static unsigned
split_level(char *path)
{
	char *at = strrchr(path, '@'), *end;
	unsigned long level;

	if (at == NULL || !isdigit((unsigned char)at[1]))
		return 0;
	level = strtoul(at + 1, &end, 10);
	if (*end != '\0' || level > 1000)
		return 0;
	*at = '\0';
	return (unsigned)level;
}

enum status
dictionary_load(const char *file, struct campaign_memory *memory,
	struct error *err)
{
	char *path = xstrdup(file), name[512];
	unsigned level = split_level(path);
	enum status status;
	uint8_t *text;
	size_t len;

	text_clean_string(path, name, sizeof(name));
	status = file_read(path, DICTIONARY_FILE_MAX, &text, &len, err);
	if (status == OK) {
		status = dictionary_load_text(name, (const char *)text, len,
			level, memory, err);
		free(text);
	} else {
		status = error_wrap(err, "dictionary");
	}
	free(path);
	return status;
}
