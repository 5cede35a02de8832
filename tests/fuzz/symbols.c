/* symbols: names of an address, from the helper that reads debug information. */
#include "base/text.h"
#include "fuzz/fuzz.h"
#include "symbols/symbol.h"

int fuzz_symbols(const uint8_t *data, size_t size);

/* Cleaned: to clean it again changes nothing. */
static void
symbols_fuzz_text(const char *text, size_t size)
{
	char again[SYMBOL_PATH_MAX];
	size_t len = strnlen(text, size);

	FUZZ_CHECK(len < size && text_clean(text, len, again, size) == len);
	FUZZ_CHECK(memcmp(text, again, len) == 0);
}

int
fuzz_symbols(const uint8_t *data, size_t size)
{
	struct symbols_reply *reply;

	/* A packet is no longer than what it is received in. */
	if (size > sizeof(*reply))
		return 0;
	reply = malloc(sizeof(*reply));
	FUZZ_CHECK(reply != NULL);
	memcpy(reply, data, size);
	if (symbols_reply_check(reply, size)) {
		for (uint32_t i = 0; i < reply->n; i++) {
			const struct symbol *s = &reply->symbols[i];

			symbols_fuzz_text(s->function, sizeof(s->function));
			symbols_fuzz_text(s->file, sizeof(s->file));
			symbols_fuzz_text(s->path, sizeof(s->path));
		}
		for (uint32_t i = 0; i < reply->lines_n; i++)
			symbols_fuzz_text(reply->lines[i].text,
				sizeof(reply->lines[i].text));
	}
	free(reply);
	return 0;
}

FUZZ_TARGET(symbols)
