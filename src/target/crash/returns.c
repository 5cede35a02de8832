/* returns: see returns.h. */

#include "target/crash/returns.h"

#include <stddef.h>
#include <unwind.h>

#include "target/abi.h"

#if defined(__x86_64__)
_Static_assert(RETURNS_MAX == 256,
	"the low byte of a trap's address is its number");

/* By trap; 0 for none. The call frame information names it. */
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
static uintptr_t returns_codes[RETURNS_MAX] __asm__("cfuzz_return_codes")
	__attribute__((used));

/* clang-format off */
/* Absent from a program in C. */
ABI_WEAK _Unwind_Ptr _Unwind_GetIP(struct _Unwind_Context *context);
ABI_WEAK void _Unwind_SetIP(struct _Unwind_Context *context, _Unwind_Ptr code);
ABI_WEAK void _Unwind_SetGR(struct _Unwind_Context *context, int i, _Unwind_Word word);
/* clang-format on */

// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
static void (*returns_left)(uint32_t i);

/*
 * One int3 for each trap, so that the low byte of its address is its number.
 * Behind them stands how far cfuzz_return_codes is from there: an address would
 * need a relocation in the program's code.
 *
 * An unwinder takes a trap for a function that has a frame of no size and was
 * called from the address that the trap stands for. Two rules say so (DWARF 5,
 * 2.5 and 6.4.2). Column 16, the return address, is stored in
 * cfuzz_return_codes[number]; register 16 is the trap's address. Register 7, the
 * stack pointer, is that of the frame before. The CFA is a byte above it: libgcc
 * knows the frame that catches an exception by the CFA of the one before, and
 * would take the trap for it if both were the same.
 */
__asm__(".pushsection .text\n"
	".balign 256\n"
	".local cfuzz_returns\n"
	".type cfuzz_returns, @function\n"
	"cfuzz_returns:\n"
	".cfi_startproc\n"
	".cfi_personality 0x1b, cfuzz_return_unwind\n" /* PC-relative */
	".cfi_def_cfa_offset 1\n"
	".cfi_escape 0x16, 7, 2\n"   /* val_expression, 2 bytes */
	".cfi_escape 0x77, 0\n"      /* breg7 0 */
	".cfi_escape 0x10, 16, 26\n" /* expression, 26 bytes */
	".cfi_escape 0x80, 0\n"      /* breg16 0 */
	".cfi_escape 0x08, 0xff\n"   /* const1u 255 */
	".cfi_escape 0x21\n"         /* or */
	".cfi_escape 0x23, 1\n"      /* plus_uconst 1: behind the traps */
	".cfi_escape 0x12\n"         /* dup */
	".cfi_escape 0x94, 4\n"      /* deref_size 4: a distance without sign */
	".cfi_escape 0x08, 32\n"     /* const1u 32 */
	".cfi_escape 0x24\n"         /* shl */
	".cfi_escape 0x08, 32\n"     /* const1u 32 */
	".cfi_escape 0x26\n"         /* shra */
	".cfi_escape 0x22\n"         /* plus: cfuzz_return_codes */
	".cfi_escape 0x80, 0\n"      /* breg16 0 */
	".cfi_escape 0x08, 0xff\n"   /* const1u 255 */
	".cfi_escape 0x1a\n"         /* and: the number */
	".cfi_escape 0x08, 3\n"      /* const1u 3 */
	".cfi_escape 0x24\n"         /* shl */
	".cfi_escape 0x22\n"         /* plus */
	".fill 256, 1, 0xcc\n"
	".cfi_endproc\n"
	".size cfuzz_returns, . - cfuzz_returns\n"
	".long cfuzz_return_codes - .\n"
	".popsection\n");

/* Throws the exception in rax where the frame behind a trap calls, as rdx says. */
__asm__(".pushsection .text\n"
	".weak _Unwind_RaiseException\n"
	".local cfuzz_return_throw\n"
	".type cfuzz_return_throw, @function\n"
	"cfuzz_return_throw:\n"
	"push %rdx\n"
	"mov %rax, %rdi\n"
	"jmp *_Unwind_RaiseException@GOTPCREL(%rip)\n"
	".size cfuzz_return_throw, . - cfuzz_return_throw\n"
	".popsection\n");
extern const uint8_t cfuzz_return_throw[] __attribute__((visibility("hidden")));
extern const uint8_t cfuzz_returns[] __attribute__((visibility("hidden")));

/*
 * The personality routine of the traps: an exception leaves a frame that has one.
 * If the trap was set after the unwinder had looked for the frame that catches,
 * and before it came there, it takes the trap for that frame. Then the exception
 * is thrown again: it comes to the frame itself.
 */
_Unwind_Reason_Code cfuzz_return_unwind(int version, _Unwind_Action actions,
	_Unwind_Exception_Class language, struct _Unwind_Exception *exception,
	struct _Unwind_Context *context) __attribute__((visibility("hidden")));
_Unwind_Reason_Code
cfuzz_return_unwind(int version, _Unwind_Action actions,
	_Unwind_Exception_Class language, struct _Unwind_Exception *exception,
	struct _Unwind_Context *context)
{
	uint32_t i;

	if (_Unwind_GetIP == NULL || !(actions & _UA_CLEANUP_PHASE))
		return _URC_CONTINUE_UNWIND;
	i = returns_find(_Unwind_GetIP(context));
	returns_left(i);
	if (!(actions & _UA_HANDLER_FRAME))
		return _URC_CONTINUE_UNWIND;
	_Unwind_SetGR(context, 0, (uintptr_t)exception); /* rax */
	_Unwind_SetGR(context, 1, returns_codes[i]);     /* rdx */
	_Unwind_SetIP(context, (uintptr_t)cfuzz_return_throw);
	return _URC_INSTALL_CONTEXT;
}

void
returns_watch(void (*left)(uint32_t i))
{
	returns_left = left;
}

void
returns_set(uint32_t i, uintptr_t *slot, uintptr_t code)
{
	returns_codes[i] = code;
	*slot = (uintptr_t)cfuzz_returns + i;
}

uint32_t
returns_find(uintptr_t address)
{
	uintptr_t at = address - (uintptr_t)cfuzz_returns;

	return at < RETURNS_MAX ? (uint32_t)at : 0;
}

uintptr_t
returns_code(uintptr_t address)
{
	return returns_codes[returns_find(address)];
}
#else
uint32_t
returns_find(uintptr_t address)
{
	return 0;
}

uintptr_t
returns_code(uintptr_t address)
{
	return 0;
}
#endif
