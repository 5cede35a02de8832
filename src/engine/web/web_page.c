/*
 * web_page: the files of page/, built into the program.
 */
#include <string.h>

#include "engine/web/web_private.h"

/* The assembler reads a file and ends it with a zero byte. */
#define PAGE_FILE(name, path) \
	__asm__(".pushsection .rodata\n" \
		".global " #name "\n" #name ":\n" \
		".incbin \"src/engine/web/page/" path "\"\n" \
		".byte 0\n" \
		".popsection\n"); \
	extern const char name[] __attribute__((visibility("hidden")))

PAGE_FILE(web_page_html, "index.html");
PAGE_FILE(web_page_css, "page.css");
PAGE_FILE(web_page_js, "page.js");

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
