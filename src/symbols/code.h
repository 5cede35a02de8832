/*
 * code: reads the machine code of an ELF file and decodes its control flow.
 *
 * Only for the helper process: it parses untrusted files with a large library.
 */
#ifndef CFUZZ_SYMBOLS_CODE_H
#define CFUZZ_SYMBOLS_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CODE_SEGMENTS_MAX 64

struct code_segment {
	/* Virtual address; number of bytes in the file, and where. */
	uint64_t address, size, offset;
	bool text; /* executable */
};

struct code {
	int fd;           /* borrowed */
	unsigned machine; /* EM_... */
	uint64_t dynamic; /* address of the dynamic section, 0: none */
	size_t segments_n;
	struct code_segment segments[CODE_SEGMENTS_MAX];
	/* The disassembler; NULL: not available for this machine. */
	void *reader, *instruction;
};

enum code_kind {
	CODE_PLAIN,
	CODE_CALL,     /* normally returns */
	CODE_JUMP,     /* to `target` */
	CODE_BRANCH,   /* to `target` or to the next instruction */
	CODE_INDIRECT, /* unknown target */
	CODE_RETURN,
	CODE_TRAP, /* ends the process */
};

/* Is `at` the address of a jump table? */
enum code_table {
	CODE_NO_TABLE,
	CODE_TABLE_NEAR, /* perhaps one of 32-bit distances */
	CODE_TABLE_FAR,  /* one of 64-bit addresses */
};

struct code_instruction {
	enum code_kind kind;
	uint64_t target; /* 0: unknown */
	uint32_t size;
	enum code_table table;
	uint64_t at; /* the address that `table` is about */
};

/* False: not a 64-bit ELF file in the byte order of this machine. */
bool code_open(struct code *code, int fd);
/* A zeroed struct is fine. */
void code_close(struct code *code);

/* Is a disassembler available? */
bool code_can_decode(const struct code *code);

/* Reads len bytes. False: not all of them are in one segment of the file. */
bool code_read(const struct code *code, uint64_t address, void *buf,
	size_t len);

/* Decodes the first instruction in len bytes of code that begin at the address.
 * False: invalid bytes, or no disassembler. */
bool code_decode(struct code *code, uint64_t address, const uint8_t *bytes,
	size_t len, struct code_instruction *instruction);

/* Opens the disassembler for a machine (EM_...), by code_open() or in a test
 * without a file. False: not available. */
bool code_use(struct code *code, unsigned machine);

#endif
