/* dictionary: a dictionary of a user, line by line. */
#include "corpus/dictionary.h"
#include "fuzz/fuzz.h"

int fuzz_dictionary(const uint8_t *data, size_t size);

int
fuzz_dictionary(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size), *rest = text, *line;
	uint8_t word[MEMORY_WORD_LEN_MAX];
	struct error err = { 0 };
	size_t len, column;
	unsigned level;

	while ((line = strsep(&rest, "\n")) != NULL) {
		size_t line_len =
			rest != NULL ? (size_t)(rest - line - 1) : strlen(line);

		if (dictionary_parse_line(line, line_len, word, &len, &level,
			    &column, &err) == OK)
			FUZZ_CHECK(len <= sizeof(word));
		else
			FUZZ_CHECK(column >= 1 && column <= line_len + 1);
	}
	free(text);
	return 0;
}

FUZZ_TARGET(dictionary)
