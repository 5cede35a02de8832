/*
 * instruction: see instruction.h.
 *
 * Tables say for each opcode whether a ModRM byte follows, and how many bytes
 * of an immediate operand.
 */
#include "target/traps/instruction.h"

#include <string.h>

#if defined(__x86_64__)

/* One letter per opcode; the operands that follow it. */
enum {
	NONE = '.',
	INVALID = 'x',
	PREFIX = 'p',
	BYTE = 'b',  /* 8 bits */
	WORD = 'w',  /* 16 bits */
	LONG = 'z',  /* 32 bits, 16 with an operand size prefix */
	WIDE = 'v',  /* as LONG, 64 with REX.W */
	ENTER = 'e', /* 16 and 8 bits */
	ADDRESS = 'a',
	MODRM = 'm',
	MODRM_BYTE = 'i',
	MODRM_LONG = 'I',
	GROUP = 'g', /* test: an immediate if bits 3 to 5 are 0 or 1 */
	SHORT = 's', /* a branch by 8 bits */
	NEAR = 'n',  /* a branch by 32 bits */
	ESCAPE = 'E',
	REX = 'r',
	VECTOR = 'V', /* VEX or EVEX */
};

static const char INSTRUCTION_MAP[] = "mmmmbzxx"
				      "mmmmbzxE"
				      "mmmmbzxx"
				      "mmmmbzxx" /* 00 */
				      "mmmmbzpx"
				      "mmmmbzpx"
				      "mmmmbzpx"
				      "mmmmbzpx" /* 20 */
				      "rrrrrrrr"
				      "rrrrrrrr"
				      "........"
				      "........" /* 40 */
				      "xxxmpppp"
				      "zIbixxxx"
				      "ssssssss"
				      "ssssssss" /* 60 */
				      "iIximmmm"
				      "mmmmmmmm"
				      "........"
				      "..x....." /* 80: 62 is below */
				      "aaaa...."
				      "bz......"
				      "bbbbbbbb"
				      "vvvvvvvv" /* a0 */
				      "iiw.VViI"
				      "e.w..bx."
				      "mmmmxxx."
				      "mmmmmmmm" /* c0 */
				      "ssssxxxx"
				      "nnxsxxxx"
				      "pxpp..gg"
				      "..xx..mm"; /* e0 */

static const char INSTRUCTION_MAP_0F[] = "mmmmx.xx"
					 "xxx.xmxx"
					 "mmmmmmmm"
					 "mmmmmmmm" /* 00 */
					 "xxxxxxxx"
					 "mmmmmmmm"
					 "x.xxxxxx"
					 "ExExxxxx" /* 20 */
					 "mmmmmmmm"
					 "mmmmmmmm"
					 "mmmmmmmm"
					 "mmmmmmmm" /* 40 */
					 "mmmmmmmm"
					 "mmmmmmmm"
					 "iiiimmm."
					 "mxxxmmmm" /* 60 */
					 "nnnnnnnn"
					 "nnnnnnnn"
					 "mmmmmmmm"
					 "mmmmmmmm" /* 80 */
					 "...mimxx"
					 "..xmimmm"
					 "mmmmmmmm"
					 "mmimmmmm" /* a0 */
					 "mmimiiim"
					 "........"
					 "mmmmmmmm"
					 "mmmmmmmm" /* c0 */
					 "mmmmmmmm"
					 "mmmmmmmm"
					 "mmmmmmmm"
					 "mmmmmmmm"; /* e0 */

#define REX_W 8u
#define OPCODE_LEA 0x8d
#define OPCODE_GROUP5 0xff

struct instruction_reader {
	const uint8_t *start, *at, *end;
	struct instruction *out;
	unsigned opcode, map; /* map: 1 after the byte 0f */
	uint8_t rex, modrm;
	bool narrow, small; /* prefixes of operand and address size */
	uint32_t displacement;
	bool relative; /* the displacement is to the next instruction */
	bool indexed;  /* 8 times a register, without a base */
};

/* Past the end the length is too large, which the caller notices. */
static uint8_t
instruction_byte(struct instruction_reader *r)
{
	uint8_t byte = r->at < r->end ? *r->at : 0;

	r->at++;
	return byte;
}

static uint32_t
instruction_word(struct instruction_reader *r)
{
	uint32_t word = 0;

	if (r->at < r->end && r->end - r->at >= (ptrdiff_t)sizeof(word))
		memcpy(&word, r->at, sizeof(word));
	r->at += sizeof(word);
	return word;
}

static void
instruction_modrm(struct instruction_reader *r)
{
	unsigned mod, rm, sib = 0;

	r->modrm = instruction_byte(r);
	mod = r->modrm >> 6;
	rm = r->modrm & 7;
	if (mod == 3)
		return;
	if (rm == 4)
		sib = instruction_byte(r);
	if (mod == 1) {
		r->at++;
	} else if (mod == 2 || rm == 5 || (rm == 4 && (sib & 7) == 5)) {
		r->displacement = instruction_word(r);
		r->relative = mod == 0 && rm == 5;
		r->indexed = mod == 0 && rm == 4 && sib >> 6 == 3;
	}
}

/* The bytes of immediate operands. */
static unsigned
instruction_immediate(const struct instruction_reader *r, char operands)
{
	switch (operands) {
	case BYTE:
	case MODRM_BYTE:
		return 1;
	case WORD:
		return 2;
	case ENTER:
		return 3;
	case WIDE:
		if (r->rex & REX_W)
			return 8;
		return r->narrow ? 2 : 4;
	case LONG:
	case MODRM_LONG:
		return r->narrow && !(r->rex & REX_W) ? 2 : 4;
	case ADDRESS:
		return r->small ? 4 : 8;
	case GROUP:
		if ((r->modrm >> 3 & 7) > 1)
			return 0;
		if (r->opcode == 0xf6)
			return 1;
		return r->narrow && !(r->rex & REX_W) ? 2 : 4;
	default:
		return 0;
	}
}

static bool
instruction_branch(struct instruction_reader *r, char operands)
{
	/* With this prefix, processors disagree about the length. */
	bool clear = operands == SHORT || !r->narrow || (r->rex & REX_W);
	int64_t distance = operands == SHORT ? (int8_t)instruction_byte(r)
					     : (int32_t)instruction_word(r);
	bool jump = r->map == 0 && (r->opcode == 0xe9 || r->opcode == 0xeb);
	bool call = r->map == 0 && r->opcode == 0xe8;

	r->out->kind = jump ? INSTRUCTION_JUMP
		: call      ? INSTRUCTION_CALL
			    : INSTRUCTION_BRANCH;
	r->out->target = (uintptr_t)r->at + (uintptr_t)distance;
	return clear;
}

/* Instructions of map 0 that have no operands beyond the tables. */
static bool
instruction_classify(struct instruction_reader *r)
{
	struct instruction *out = r->out;
	unsigned group = r->modrm >> 3 & 7;

	if (r->map == 1) {
		if (r->opcode == 0x0b || r->opcode == 0xb9 || r->opcode == 0xff)
			out->kind = INSTRUCTION_END;
		return true;
	}
	switch (r->opcode) {
	case 0xc2:
	case 0xc3:
	case 0xca:
	case 0xcb:
	case 0xcc:
	case 0xcf:
	case 0xf4:
		out->kind = INSTRUCTION_END;
		return true;
	case 0x8f:
	case 0xc6:
	case 0xc7:
		return group == 0;
	case 0xfe:
		return group <= 1;
	case OPCODE_GROUP5:
		if (group == 2 || group == 3)
			out->kind = INSTRUCTION_CALL;
		else if (group == 4 || group == 5)
			out->kind = INSTRUCTION_INDIRECT;
		return group != 7;
	case OPCODE_LEA:
		return r->modrm >> 6 != 3;
	default:
		return true;
	}
}

static void
instruction_find_table(struct instruction_reader *r)
{
	struct instruction *out = r->out;
	int64_t displacement = (int32_t)r->displacement;

	if (r->relative && r->map == 0 && r->opcode == OPCODE_LEA) {
		out->table = INSTRUCTION_TABLE_NEAR;
		out->at = (uintptr_t)r->at + (uintptr_t)displacement;
	} else if (r->indexed && displacement > 0 && r->map == 0) {
		out->table = INSTRUCTION_TABLE_FAR;
		out->at = (uintptr_t)displacement;
	}
}

/* After a VEX or EVEX prefix. */
static bool
instruction_vector(struct instruction_reader *r)
{
	unsigned map = 1;
	char operands;

	if (r->rex != 0 || r->narrow)
		return false;
	if (r->opcode == 0xc5) {
		r->at++;
	} else {
		map = instruction_byte(r) & (r->opcode == 0x62 ? 7 : 0x1f);
		r->at += r->opcode == 0x62 ? 2 : 1;
	}
	r->map = map;
	r->opcode = instruction_byte(r);
	if (map == 0 || map == 4 || map > 6)
		return false;
	operands = map == 1 ? INSTRUCTION_MAP_0F[r->opcode]
		: map == 3  ? MODRM_BYTE
			    : MODRM;
	if (map == 1 && r->opcode == 0x77)
		return true; /* vzeroupper */
	instruction_modrm(r);
	if (operands == MODRM_BYTE)
		r->at++;
	return true;
}

/* Reads prefixes and the opcode; returns its operands. */
static char
instruction_opcode(struct instruction_reader *r)
{
	char operands;

	for (;;) {
		r->opcode = instruction_byte(r);
		operands =
			r->opcode == 0x62 ? VECTOR : INSTRUCTION_MAP[r->opcode];
		if (operands == REX) {
			r->rex = (uint8_t)r->opcode;
			continue;
		}
		if (operands != PREFIX)
			break;
		r->rex = 0;
		r->narrow |= r->opcode == 0x66;
		r->small |= r->opcode == 0x67;
		if (r->at >= r->end)
			return INVALID;
	}
	if (operands != ESCAPE)
		return operands;
	r->map = 1;
	r->opcode = instruction_byte(r);
	operands = INSTRUCTION_MAP_0F[r->opcode];
	if (operands != ESCAPE)
		return operands;
	r->map = r->opcode == 0x38 ? 2 : 3;
	r->opcode = instruction_byte(r);
	return r->map == 3 ? MODRM_BYTE : MODRM;
}

static bool
instruction_read(struct instruction_reader *r)
{
	char operands = instruction_opcode(r);

	switch (operands) {
	case INVALID:
		return false;
	case VECTOR:
		return instruction_vector(r);
	case SHORT:
	case NEAR:
		return instruction_branch(r, operands);
	case MODRM:
	case MODRM_BYTE:
	case MODRM_LONG:
	case GROUP:
		instruction_modrm(r);
		break;
	default:
		break;
	}
	r->at += instruction_immediate(r, operands);
	instruction_find_table(r);
	return instruction_classify(r);
}

bool
instruction_decode(const uint8_t *code, size_t size, struct instruction *out)
{
	struct instruction_reader r = {
		.start = code,
		.at = code,
		.end = code + (size < INSTRUCTION_MAX ? size : INSTRUCTION_MAX),
		.out = out,
	};

	*out = (struct instruction){ .kind = INSTRUCTION_PLAIN };
	if (!instruction_read(&r) || r.at > r.end)
		return false;
	out->len = (uint8_t)(r.at - r.start);
	return true;
}

bool
instruction_is_known(void)
{
	return true;
}

#else

bool
instruction_decode(const uint8_t *code, size_t size, struct instruction *out)
{
	return false;
}

bool
instruction_is_known(void)
{
	return false;
}

#endif
