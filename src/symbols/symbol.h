/*
 * symbol: the name of an address in a program, with request and reply.
 *
 * Both sides are the same executable, so a message is a struct, one packet
 * each. The reply comes from a process that parses untrusted debug information:
 * call symbols_reply_check() before any other use.
 */
#ifndef CFUZZ_SYMBOLS_SYMBOL_H
#define CFUZZ_SYMBOLS_SYMBOL_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SYMBOL_FUNCTION_MAX 192u
#define SYMBOL_FILE_MAX 96u
#define SYMBOL_PATH_MAX 256u
#define SYMBOL_DEPTH_MAX 16u /* inlined functions at one address */
#define SYMBOL_ID_MAX 129u   /* hex of at most 64 bytes */

struct symbol {
	char function[SYMBOL_FUNCTION_MAX]; /* "" = unknown */
	char file[SYMBOL_FILE_MAX];         /* without folder, "" = unknown */
	char path[SYMBOL_PATH_MAX]; /* with folder, "" = unknown or too long */
	uint32_t line;              /* 0 = unknown */
	uint32_t declared;          /* line of its declaration, 0 = unknown */
	uint64_t offset; /* from the function's start, if file is unknown */
};

/* Source lines around the line of a symbol. */
#define SYMBOL_LINE_MAX 160u /* bytes, with the NUL */
#define SYMBOL_LINES_MAX 7u  /* three before and three after it */

struct symbol_line {
	uint32_t number;
	char text[SYMBOL_LINE_MAX];
};

struct symbols_request {
	uint64_t seq;
	uint32_t source;        /* 0, or send lines of symbol source - 1 */
	uint64_t offset;        /* virtual address in the file */
	char id[SYMBOL_ID_MAX]; /* required build-id of the file, "" = any */
	char path[PATH_MAX];
};

struct symbols_reply {
	uint64_t seq;
	uint32_t n;     /* innermost first */
	uint32_t blind; /* 1: libdw is missing */
	uint32_t lines_n;
	struct symbol_line lines[SYMBOL_LINES_MAX];
	struct symbol symbols[SYMBOL_DEPTH_MAX]; /* only n of them are sent */
};

#define SYMBOLS_REPLY_LEN(n) \
	(offsetof(struct symbols_reply, symbols) + \
		(size_t)(n) * sizeof(struct symbol))

/*
 * Checks a reply of a packet of len bytes and cleans its texts. False: invalid.
 */
bool symbols_reply_check(struct symbols_reply *reply, size_t len);

#endif
