/* hook: the command line of --on-finding and --on-end. */
#include "base/xmalloc.h"
#include "engine/notify/hook_process.h"
#include "fuzz/fuzz.h"

int fuzz_hook(const uint8_t *data, size_t size);

int
fuzz_hook(const uint8_t *data, size_t size)
{
	char *line = fuzz_text(data, size), **words = NULL;
	struct error err = { 0 };
	size_t n = 0, len = 0;

	if (hook_argv_parse(line, &words, &err) == OK) {
		for (; words[n] != NULL; n++)
			len += strlen(words[n]);
		FUZZ_CHECK(n > 0 && len <= strlen(line));
	} else {
		FUZZ_CHECK(words == NULL && err.text[0] != '\0');
	}
	xfree_list(words);
	free(line);
	return 0;
}

FUZZ_TARGET(hook)
