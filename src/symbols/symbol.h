/*
 * symbol: what an address in a program is called, and the two messages by
 * which it is asked for.
 *
 * Both ends of the link are the same executable, so a message is a struct,
 * one packet each. The reply comes from a process that reads foreign debug
 * information: symbols_reply_check() comes before anything else.
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
#define SYMBOL_DEPTH_MAX 16u /* frames at one place: inlined functions */
#define SYMBOL_ID_MAX 129u   /* hex of at most 64 bytes */

struct symbol {
	char function[SYMBOL_FUNCTION_MAX]; /* "" = unknown */
	char file[SYMBOL_FILE_MAX];         /* without folder, "" = unknown */
	char path[SYMBOL_PATH_MAX]; /* with it, "" = unknown or too long */
	uint32_t line;              /* 0 = unknown */
	uint32_t declared;          /* where the function begins, 0 = unknown */
	uint64_t offset; /* from the start of function, if file is unknown */
};

/* Lines of the source around the one that a symbol names. */
#define SYMBOL_LINE_MAX 160u
#define SYMBOL_LINES_MAX 7u /* three before it, three behind it */

struct symbol_line {
	uint32_t number;
	char text[SYMBOL_LINE_MAX];
};

struct symbols_request {
	uint64_t seq;
	uint32_t
		source; /* 0, or the lines around symbol source - 1 are wanted */
	uint64_t offset;        /* a virtual address in the file */
	char id[SYMBOL_ID_MAX]; /* build-id that the file must have, "" = any */
	char path[PATH_MAX];
};

struct symbols_reply {
	uint64_t seq;
	uint32_t n;     /* innermost first */
	uint32_t blind; /* 1: the helper lacks what it reads with */
	uint32_t lines_n;
	struct symbol_line lines[SYMBOL_LINES_MAX];
	struct symbol symbols[SYMBOL_DEPTH_MAX]; /* only n of them are sent */
};

#define SYMBOLS_REPLY_LEN(n) \
	(offsetof(struct symbols_reply, symbols) + \
		(size_t)(n) * sizeof(struct symbol))

/* Is this a whole reply, of a packet of len bytes? Then its texts are cleaned. */
bool symbols_reply_check(struct symbols_reply *reply, size_t len);

#endif
