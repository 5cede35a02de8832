/* predicates_words: inputs that hold words, see predicates.h. */

#include "lib/predicates_private.h"

#include <string.h>

static const uint8_t *
find(const uint8_t *data, size_t len, const char *word)
{
	return memmem(data, len, word, strlen(word));
}

static size_t
count_word(const uint8_t *data, size_t len, const char *word)
{
	const uint8_t *end = data + len;
	size_t n = 0;

	while ((data = find(data, (size_t)(end - data), word)) != NULL) {
		data += strlen(word);
		n++;
	}
	return n;
}

void
predicate_one_word(struct predicate *p, struct prng *r)
{
	predicate_start(p, r, predicate_len(r), false);
	predicate_words(p, r, 1);
	predicate_put_words(p, r);
}

bool
predicate_has_words(const struct predicate *p, const uint8_t *data, size_t len)
{
	for (size_t i = 0; i < p->words_n; i++)
		if (!find(data, len, p->words[i]))
			return false;
	return true;
}

static void
draw_some_words(struct predicate *p, struct prng *r)
{
	predicate_start(p, r, predicate_len(r), true);
	predicate_words(p, r, predicate_number(r, 2, 4));
	predicate_put_words(p, r);
}

static bool
has_words_in_order(const struct predicate *p, const uint8_t *data, size_t len)
{
	const uint8_t *end = data + len;

	for (size_t i = 0; i < p->words_n; i++) {
		data = find(data, (size_t)(end - data), p->words[i]);
		if (data == NULL)
			return false;
		data += strlen(p->words[i]);
	}
	return true;
}

static void
draw_repeated(struct predicate *p, struct prng *r)
{
	predicate_start(p, r, 0, true);
	predicate_words(p, r, 1);
	p->number = predicate_number(r, 2, 6);
	for (size_t n = predicate_number(r, p->number, 14); n > 0; n--) {
		predicate_put(p, p->len, p->words[0]);
		for (size_t gap = predicate_number(r, 0, 9); gap > 0; gap--)
			predicate_put(p, p->len, "x");
	}
}

static bool
is_repeated(const struct predicate *p, const uint8_t *data, size_t len)
{
	return count_word(data, len, p->words[0]) >= p->number;
}

static void
draw_repeated_in_blocks(struct predicate *p, struct prng *r)
{
	draw_repeated(p, r);
	p->more = predicate_number(r, 2, 9);
	while (p->len % p->more != 0)
		predicate_put(p, p->len, "y");
}

static bool
is_repeated_in_blocks(const struct predicate *p, const uint8_t *data,
	size_t len)
{
	return len % p->more == 0 && is_repeated(p, data, len);
}

static void
draw_magic(struct predicate *p, struct prng *r)
{
	draw_some_words(p, r);
	predicate_put(p, 0, p->words[0]);
}

static bool
has_magic(const struct predicate *p, const uint8_t *data, size_t len)
{
	size_t n = strlen(p->words[0]);

	return len >= n && memcmp(data, p->words[0], n) == 0 &&
		has_words_in_order(p, data, len);
}

static void
draw_ending(struct predicate *p, struct prng *r)
{
	predicate_one_word(p, r);
	predicate_put(p, p->len, p->words[0]);
	p->byte = p->start[0];
}

static bool
has_ending(const struct predicate *p, const uint8_t *data, size_t len)
{
	size_t n = strlen(p->words[0]);

	return len > n && memcmp(data + len - n, p->words[0], n) == 0 &&
		memchr(data, p->byte, len - n) != NULL;
}

static void
draw_sparse(struct predicate *p, struct prng *r)
{
	draw_some_words(p, r);
	p->number = predicate_number(r, 3, 8);
}

/* The letters of the words in their order, with anything between them. */
static bool
has_letters_in_order(const struct predicate *p, const uint8_t *data, size_t len)
{
	size_t at = 0;

	for (size_t i = 0; i < p->words_n; i++)
		for (const char *c = p->words[i]; *c != '\0'; c++) {
			while (at < len && data[at] != (uint8_t)*c)
				at++;
			if (at++ >= len)
				return false;
		}
	return true;
}

/* clang-format off */
const struct predicate_family PREDICATE_WORD_FAMILIES[] = {
	{ "a word", predicate_has_words, predicate_one_word },
	{ "words", predicate_has_words, draw_some_words },
	{ "words in order", has_words_in_order, draw_some_words },
	{ "letters in order", has_letters_in_order, draw_sparse },
	{ "a word several times", is_repeated, draw_repeated },
	{ "the same, in blocks", is_repeated_in_blocks, draw_repeated_in_blocks },
	{ "magic and words", has_magic, draw_magic },
	{ "a word at the end", has_ending, draw_ending },
	{ NULL, NULL, NULL },
};
/* clang-format on */
