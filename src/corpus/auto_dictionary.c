/* auto_dictionary: see auto_dictionary.h. */
#include "corpus/auto_dictionary.h"

#include <string.h>

#define WORD_LEN_MIN 2u

static bool
auto_dictionary_is_known(const struct tokens *words, const uint8_t *bytes,
	size_t len)
{
	uint32_t i;

	for (i = 0; i < words->n; i++)
		if (words->items[i].len == len &&
			memcmp(words->items[i].bytes, bytes, len) == 0)
			return true;
	return false;
}

/* A word of equal bytes is not specific to the target. */
static bool
auto_dictionary_is_word(const uint8_t *bytes, size_t len)
{
	return len >= WORD_LEN_MIN && len <= MEMORY_WORD_LEN_MAX &&
		memcmp(bytes, bytes + 1, len - 1) != 0;
}

bool
auto_dictionary_add(struct campaign_memory *m, const uint8_t *word, size_t len)
{
	struct tokens words = campaign_memory_words(m);

	return auto_dictionary_is_word(word, len) &&
		!auto_dictionary_is_known(&words, word, len) &&
		campaign_memory_add_word(m, word, len);
}

uint32_t
auto_dictionary_take(struct campaign_memory *m, const struct ring_input *input,
	uint32_t room, auto_dictionary_fn *tell, void *arg)
{
	const struct mutation *mutation = input->mutations;
	uint32_t i, taken = 0;
	size_t at = 0, left = input->record.literals_n;

	if (input->literals == NULL)
		return 0;
	for (i = 0; i < input->record.mutations_n && taken < room;
		i++, mutation++) {
		if (mutation->op != MUTATE_COMPARE &&
			mutation->op != MUTATE_CUSTOM)
			continue;
		if (mutation->len > left)
			break;
		if (mutation->op == MUTATE_COMPARE &&
			auto_dictionary_add(m, input->literals + at,
				mutation->len)) {
			taken++;
			tell(arg, input->literals + at, mutation->len);
		}
		at += mutation->len;
		left -= mutation->len;
	}
	return taken;
}
