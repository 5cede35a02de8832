/* code: see code.h. */
#include "symbols/code.h"

#include <elf.h>
#include <string.h>
#include <unistd.h>

#include "symbols/libcapstone.h"

/* ---- the file ---- */

static bool
code_pread(int fd, void *buf, size_t len, uint64_t offset)
{
	return offset <= INT64_MAX &&
		pread(fd, buf, len, (off_t)offset) == (ssize_t)len;
}

static bool
code_add_segments(struct code *code, const Elf64_Ehdr *head)
{
	Elf64_Phdr part;

	if (head->e_phentsize != sizeof(part))
		return false;
	for (unsigned i = 0; i < head->e_phnum; i++) {
		if (!code_pread(code->fd, &part, sizeof(part),
			    head->e_phoff + i * sizeof(part)))
			return false;
		if (part.p_type == PT_DYNAMIC)
			code->dynamic = part.p_vaddr;
		if (part.p_type != PT_LOAD ||
			code->segments_n == CODE_SEGMENTS_MAX)
			continue;
		code->segments[code->segments_n++] = (struct code_segment){
			part.p_vaddr,
			part.p_filesz,
			part.p_offset,
			(part.p_flags & PF_X) != 0,
		};
	}
	return code->segments_n > 0;
}

bool
code_open(struct code *code, int fd)
{
	const unsigned order = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
		? ELFDATA2LSB
		: ELFDATA2MSB;
	Elf64_Ehdr head;

	*code = (struct code){ .fd = fd };
	if (!code_pread(fd, &head, sizeof(head), 0) ||
		memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 ||
		head.e_ident[EI_CLASS] != ELFCLASS64 ||
		head.e_ident[EI_DATA] != order ||
		!code_add_segments(code, &head))
		return false;
	(void)code_use(code, head.e_machine);
	return true;
}

bool
code_read(const struct code *code, uint64_t address, void *buf, size_t len)
{
	for (size_t i = 0; i < code->segments_n; i++) {
		const struct code_segment *s = &code->segments[i];
		uint64_t at = address - s->address;

		if (address >= s->address && at <= s->size &&
			len <= s->size - at)
			return code_pread(code->fd, buf, len, s->offset + at);
	}
	return false;
}

bool
code_can_decode(const struct code *code)
{
	return code->instruction != NULL;
}

/* ---- instructions ---- */

#ifdef LIBCAPSTONE

bool
code_use(struct code *code, unsigned machine)
{
	const struct libcapstone *cs = libcapstone_get();
	csh reader;

	code->machine = machine;
	if (cs == NULL || (machine != EM_X86_64 && machine != EM_AARCH64) ||
		cs->cs_open(machine == EM_X86_64 ? CS_ARCH_X86 : CS_ARCH_ARM64,
			machine == EM_X86_64 ? CS_MODE_64 : CS_MODE_ARM,
			&reader) != CS_ERR_OK)
		return false;
	code->reader = (void *)(uintptr_t)reader;
	if (cs->cs_option(reader, CS_OPT_DETAIL, CS_OPT_ON) == CS_ERR_OK)
		code->instruction = cs->cs_malloc(reader);
	return code->instruction != NULL;
}

void
code_close(struct code *code)
{
	const struct libcapstone *cs = libcapstone_get();
	csh reader = (csh)(uintptr_t)code->reader;

	if (code->instruction != NULL)
		cs->cs_free(code->instruction, 1);
	if (code->reader != NULL)
		cs->cs_close(&reader);
	memset(code, 0, sizeof(*code));
}

static bool
code_is_in(const cs_insn *insn, uint8_t group)
{
	for (unsigned i = 0; i < insn->detail->groups_count; i++)
		if (insn->detail->groups[i] == group)
			return true;
	return false;
}

/* ---- x86-64 ---- */

static void
code_x86_memory(const cs_insn *insn, const cs_x86_op *op,
	struct code_instruction *instruction)
{
	if (op->mem.base == X86_REG_RIP) {
		instruction->table = CODE_TABLE_NEAR;
		instruction->at =
			insn->address + insn->size + (uint64_t)op->mem.disp;
	} else if (op->mem.base == X86_REG_INVALID && op->mem.scale == 8 &&
		op->mem.disp > 0) {
		instruction->table = CODE_TABLE_FAR;
		instruction->at = (uint64_t)op->mem.disp;
	}
}

static enum code_kind
code_x86_kind(const cs_insn *insn)
{
	switch (insn->id) {
	case X86_INS_UD2:
	case X86_INS_HLT:
	case X86_INS_INT3:
		return CODE_TRAP;
	case X86_INS_JMP:
	case X86_INS_LJMP:
		return CODE_JUMP;
	case X86_INS_CALL:
	case X86_INS_LCALL:
		return CODE_CALL;
	default:
		break;
	}
	if (code_is_in(insn, CS_GRP_RET) || code_is_in(insn, CS_GRP_IRET))
		return CODE_RETURN;
	return code_is_in(insn, CS_GRP_JUMP) ||
			code_is_in(insn, CS_GRP_BRANCH_RELATIVE)
		? CODE_BRANCH
		: CODE_PLAIN;
}

static void
code_x86_decode(const cs_insn *insn, struct code_instruction *instruction)
{
	const cs_x86 *x86 = &insn->detail->x86;

	instruction->kind = code_x86_kind(insn);
	for (unsigned i = 0; i < x86->op_count; i++) {
		if (x86->operands[i].type == X86_OP_MEM)
			code_x86_memory(insn, &x86->operands[i], instruction);
		else if (x86->operands[i].type == X86_OP_IMM &&
			instruction->kind != CODE_PLAIN)
			instruction->target = (uint64_t)x86->operands[i].imm;
	}
}

/* ---- arm64 ---- */

static enum code_kind
code_arm_kind(const cs_insn *insn)
{
	arm64_cc cc = insn->detail->arm64.cc;

	switch (insn->id) {
	case ARM64_INS_BRK:
	case ARM64_INS_HLT:
		return CODE_TRAP;
	case ARM64_INS_B:
		return cc == ARM64_CC_INVALID || cc == ARM64_CC_AL ||
				cc == ARM64_CC_NV
			? CODE_JUMP
			: CODE_BRANCH;
	case ARM64_INS_CBZ:
	case ARM64_INS_CBNZ:
	case ARM64_INS_TBZ:
	case ARM64_INS_TBNZ:
		return CODE_BRANCH;
	case ARM64_INS_BL:
	case ARM64_INS_BLR:
		return CODE_CALL;
	case ARM64_INS_BR:
		return CODE_JUMP;
	case ARM64_INS_RET:
		return CODE_RETURN;
	default:
		break;
	}
	if (code_is_in(insn, CS_GRP_CALL))
		return CODE_CALL;
	return code_is_in(insn, CS_GRP_RET) ? CODE_RETURN
		: code_is_in(insn, CS_GRP_JUMP)
		? CODE_JUMP /* with a key: unknown target */
		: CODE_PLAIN;
}

static void
code_arm_decode(const cs_insn *insn, struct code_instruction *instruction)
{
	const cs_arm64 *arm = &insn->detail->arm64;

	instruction->kind = code_arm_kind(insn);
	/* Take the last operand: tbz has a bit number before the target. */
	for (unsigned i = 0; i < arm->op_count; i++)
		if (arm->operands[i].type == ARM64_OP_IMM &&
			instruction->kind != CODE_PLAIN &&
			instruction->kind != CODE_TRAP)
			instruction->target = (uint64_t)arm->operands[i].imm;
}

bool
code_decode(struct code *code, uint64_t address, const uint8_t *bytes,
	size_t len, struct code_instruction *instruction)
{
	const struct libcapstone *cs = libcapstone_get();
	csh reader = (csh)(uintptr_t)code->reader;
	cs_insn *insn = code->instruction;

	memset(instruction, 0, sizeof(*instruction));
	if (insn == NULL ||
		!cs->cs_disasm_iter(reader, &bytes, &len, &address, insn))
		return false;
	instruction->size = insn->size;
	if (code->machine == EM_X86_64)
		code_x86_decode(insn, instruction);
	else
		code_arm_decode(insn, instruction);
	if (instruction->kind == CODE_JUMP && instruction->target == 0)
		instruction->kind = CODE_INDIRECT;
	return instruction->size > 0;
}

#else

bool
code_use(struct code *code, unsigned machine)
{
	code->machine = machine;
	return false;
}

void
code_close(struct code *code)
{
	memset(code, 0, sizeof(*code));
}

bool
code_decode(struct code *code, uint64_t address, const uint8_t *bytes,
	size_t len, struct code_instruction *instruction)
{
	memset(instruction, 0, sizeof(*instruction));
	return false;
}

#endif
