/* tokens: see tokens.h. */

#include "shared/mutate/tokens.h"

#include <string.h>

static bool
tokens_insert(const struct memory_word *word, size_t len, struct mutable *m,
	struct prng *prng, struct mutation *done)
{
	size_t at = prng_intn(prng, m->len + 1);

	if (m->len + len >= m->cap)
		return false;
	memmove(m->data + at + len, m->data + at, m->len - at);
	memcpy(m->data + at, word->bytes, len);
	m->len += len;
	*done = (struct mutation){ .op = MUTATE_INSERT_WORD,
		.offset = (uint32_t)at,
		.len = (uint32_t)len };
	return true;
}

static bool
tokens_overwrite(const struct memory_word *word, size_t len, struct mutable *m,
	struct prng *prng, struct mutation *done)
{
	size_t at;

	if (m->len < len)
		return false;
	at = prng_intn(prng, m->len - len + 1);
	memcpy(m->data + at, word->bytes, len);
	*done = (struct mutation){ .op = MUTATE_OVERWRITE_WORD,
		.offset = (uint32_t)at,
		.len = (uint32_t)len };
	return true;
}

bool
tokens_apply(enum mutate_op op, const struct tokens *words, struct mutable *m,
	struct prng *prng, struct mutation *done)
{
	const struct memory_word *word;
	size_t len;

	if (words->n == 0)
		return false;
	word = &words->items[prng_u32n(prng, words->n)];
	len = word->len;
	if (len > MEMORY_WORD_LEN_MAX)
		len = MEMORY_WORD_LEN_MAX;
	return op == MUTATE_INSERT_WORD
		? tokens_insert(word, len, m, prng, done)
		: tokens_overwrite(word, len, m, prng, done);
}
