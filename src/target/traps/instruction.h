/*
 * instruction: the length of a machine instruction and where it leads.
 *
 * Only for x86-64 in 64-bit mode, as in Intel's Software Developer's Manual,
 * volume 2. Instructions that compilers do not write for user programs
 * (most privileged ones, input and output, XOP, 3DNow) count as invalid: such
 * bytes are more likely data.
 */
#ifndef CFUZZ_TARGET_TRAPS_INSTRUCTION_H
#define CFUZZ_TARGET_TRAPS_INSTRUCTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define INSTRUCTION_MAX 15 /* bytes */
#define INSTRUCTION_BREAK 0xcc

enum instruction_kind {
	INSTRUCTION_PLAIN,
	INSTRUCTION_CALL,     /* comes back */
	INSTRUCTION_JUMP,     /* to `target` */
	INSTRUCTION_BRANCH,   /* to `target` or to the next instruction */
	INSTRUCTION_INDIRECT, /* a jump to an unknown address */
	INSTRUCTION_END,      /* returns, or ends the process */
};

/* Does the instruction name the address of a jump table? */
enum instruction_table {
	INSTRUCTION_NO_TABLE,
	/* Perhaps a table of 32-bit distances from its own start. */
	INSTRUCTION_TABLE_NEAR,
	INSTRUCTION_TABLE_FAR, /* a table of 64-bit addresses */
};

struct instruction {
	uint8_t len; /* bytes, 1 to INSTRUCTION_MAX */
	enum instruction_kind kind;
	enum instruction_table table;
	uintptr_t target; /* of a direct jump, branch or call; 0: none */
	uintptr_t at;     /* address of the table, if there is one */
};

/*
 * Decodes the instruction at `code`, of which `size` bytes may be read. False:
 * invalid, cut off, or not written by compilers.
 */
bool instruction_decode(const uint8_t *code, size_t size,
	struct instruction *instruction);

/* Can this processor's instructions be decoded? */
bool instruction_is_known(void);

#endif
