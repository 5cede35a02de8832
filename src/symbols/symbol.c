/* symbol: see symbol.h. */
#include "symbols/symbol.h"

#include <string.h>

#include "base/text.h"

static void
symbol_clean(char *text, size_t size)
{
	char raw[SYMBOL_PATH_MAX];

	memcpy(raw, text, size);
	text_clean(raw, strnlen(raw, size), text, size);
}

bool
symbols_reply_check(struct symbols_reply *reply, size_t len)
{
	if (len < SYMBOLS_REPLY_LEN(0) || reply->n > SYMBOL_DEPTH_MAX ||
		reply->lines_n > SYMBOL_LINES_MAX ||
		len != SYMBOLS_REPLY_LEN(reply->n))
		return false;
	for (uint32_t i = 0; i < reply->n; i++) {
		symbol_clean(reply->symbols[i].function, SYMBOL_FUNCTION_MAX);
		symbol_clean(reply->symbols[i].file, SYMBOL_FILE_MAX);
		symbol_clean(reply->symbols[i].path, SYMBOL_PATH_MAX);
	}
	for (uint32_t i = 0; i < reply->lines_n; i++)
		symbol_clean(reply->lines[i].text, SYMBOL_LINE_MAX);
	return true;
}
