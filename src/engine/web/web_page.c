/*
 * web_page: the files of page/, built into the program.
 */
#include <string.h>

#include "engine/web/web_private.h"

/* clang-format off */
/* The assembler reads a file and ends it with a zero byte. */
#define PAGE_FILE(name, file) \
	__asm__(".pushsection .rodata\n" \
		".global web_page_" #name "\n.hidden web_page_" #name "\n" \
		"web_page_" #name ":\n.incbin \"src/engine/web/page/" file \
		"\"\n.byte 0\n.popsection\n"); \
	extern const char web_page_##name[]

PAGE_FILE(html, "index.html");
PAGE_FILE(css, "page.css");
PAGE_FILE(js, "page.js");
/* clang-format on */

const struct web_file *
web_page_find(const char *path)
{
	static const struct web_file files[] = {
		{ "/", "text/html; charset=utf-8", web_page_html },
		{ "/page.css", "text/css; charset=utf-8", web_page_css },
		{ "/page.js", "text/javascript; charset=utf-8", web_page_js },
	};

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		if (strcmp(path, files[i].path) == 0)
			return &files[i];
	return NULL;
}
