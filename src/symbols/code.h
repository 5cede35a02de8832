/*
 * code: the machine code of an ELF file, by address; and one step of it, as
 * far as it leads elsewhere.
 *
 * For the helper alone: it reads foreign files with a library of some size.
 */
#ifndef CFUZZ_SYMBOLS_CODE_H
#define CFUZZ_SYMBOLS_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CODE_SEGMENTS_MAX 64

struct code_segment {
	uint64_t address, size, offset; /* size: of what is in the file */
	bool text;
};

struct code {
	int fd;           /* not ours */
	unsigned machine; /* EM_... */
	uint64_t dynamic; /* the dynamic section's address, 0: none */
	size_t segments_n;
	struct code_segment segments[CODE_SEGMENTS_MAX];
	/* The disassembler; NULL: none, or not for this machine. */
	void *reader, *step;
};

enum code_kind {
	CODE_PLAIN,
	CODE_CALL,     /* comes back, as a rule */
	CODE_JUMP,     /* to `target` */
	CODE_BRANCH,   /* to `target` or to what follows */
	CODE_INDIRECT, /* nobody knows where to */
	CODE_RETURN,
	CODE_TRAP, /* the end of the process */
};

/* Is `at` the address of a table of jumps? */
enum code_table {
	CODE_NO_TABLE,
	CODE_TABLE_NEAR, /* perhaps one of distances, 32 bits each */
	CODE_TABLE_FAR,  /* one of addresses, 64 bits each */
};

struct code_step {
	enum code_kind kind;
	uint64_t target; /* 0: not known */
	uint32_t size;
	enum code_table table;
	uint64_t at;
	bool indexed; /* reads memory as one reads a table */
};

/* False: no ELF file of 64 bits in this machine's order of bytes. */
bool code_open(struct code *code, int fd);
/* All zero is fine. */
void code_close(struct code *code);

/* Can steps be read? */
bool code_has_steps(const struct code *code);

/* False: not all of it is in the file. */
bool code_read(const struct code *code, uint64_t address, void *buf,
	size_t len);

/* The step at the address, from its bytes; false: there is none. */
bool code_step(struct code *code, uint64_t address, const uint8_t *bytes,
	size_t len, struct code_step *step);

/* For tests: steps of a machine without a file. */
bool code_use(struct code *code, unsigned machine);

#endif
