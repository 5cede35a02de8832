/*
 * predicates: how members are drawn, and what many families share; see
 * predicates.h.
 */

#include "lib/predicates_private.h"

#include <string.h>

/* ---- drawing ---- */

size_t
predicate_number(struct prng *r, size_t least, size_t most)
{
	return least + prng_intn(r, most - least + 1);
}

/* The start is so many bytes of a kind: any, or text. */
void
predicate_start(struct predicate *p, struct prng *r, size_t len, bool text)
{
	p->len = len;
	for (size_t i = 0; i < len; i++)
		p->start[i] = (uint8_t)(text ? predicate_number(r, ' ', '~')
					     : predicate_number(r, 0, 255));
}

void
predicate_words(struct predicate *p, struct prng *r, size_t n)
{
	p->words_n = n;
	for (size_t i = 0; i < n; i++) {
		size_t len = predicate_number(r, 2, 8);

		for (size_t j = 0; j < len; j++)
			p->words[i][j] = (char)predicate_number(r, 'A', 'Z');
		p->words[i][len] = '\0';
	}
}

void
predicate_put(struct predicate *p, size_t at, const char *text)
{
	size_t len = strlen(text);

	if (at + len > PREDICATE_ROOM)
		return;
	memcpy(p->start + at, text, len);
	if (at + len > p->len)
		p->len = at + len;
}

/* Words at places that do not overlap, in their order. */
void
predicate_put_words(struct predicate *p, struct prng *r)
{
	size_t part = p->len / p->words_n;

	for (size_t i = 0; i < p->words_n; i++)
		predicate_put(p, i * part + predicate_number(r, 0, part - 12),
			p->words[i]);
}

size_t
predicate_len(struct prng *r)
{
	static const size_t most[] = { 60, 120, 250, 400, 1000 };

	return predicate_number(r, 48, most[prng_intn(r, 5)]);
}

static const struct predicate_family *const TABLES[] = {
	PREDICATE_WORD_FAMILIES, PREDICATE_LENGTH_FAMILIES,
	PREDICATE_BYTE_FAMILIES, PREDICATE_TEXT_FAMILIES
};

const struct predicate_family *
predicate_family(size_t i)
{
	for (size_t t = 0; t < sizeof(TABLES) / sizeof(TABLES[0]); t++)
		for (const struct predicate_family *f = TABLES[t]; f->name; f++)
			if (i-- == 0)
				return f;
	return NULL;
}

void
predicate_draw(struct predicate *p, const struct predicate_family *family,
	unsigned seed)
{
	struct prng r;

	prng_init(&r, seed, 1);
	do {
		memset(p, 0, sizeof(*p));
		family->draw(p, &r);
	} while (!family->fails(p, p->start, p->len));
}
