/*
 * crash_stack: see crash_stack.h. Reads code and stack with a system call, which
 * fails where a load would fault.
 */
#include "target/crash/crash_stack.h"

#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "target/crash/crash.h"
#include "target/crash/unwind.h"

#define CRASH_STACK_LARGE ((uint64_t)1 << 30)

size_t
crash_memory_read(void *to, uint64_t from, size_t len)
{
	struct iovec local = { to, len };
	struct iovec remote = { (void *)(uintptr_t)from, len };
	/* A long, because this argument is passed on the stack: a compiler need
	 * not clear the upper half of an int there. */
	long n = syscall(SYS_process_vm_readv, getpid(), &local, 1L, &remote,
		1L, 0L);

	return n > 0 ? (size_t)n : 0;
}

/*
 * Is this a return address: does a call instruction end there? On other
 * processors, any readable address passes.
 */
static bool
crash_is_return(uint64_t address)
{
	uint8_t code[8];

	if (crash_memory_read(code, address - sizeof(code), sizeof(code)) !=
		sizeof(code))
		return false;
#if defined(__x86_64__)
	if (code[3] == 0xe8) /* call with a four-byte displacement */
		return true;
	/* indirect call, of two to seven bytes */
	for (size_t len = 2; len <= 7; len++) {
		if (code[8 - len] == 0xff && (code[9 - len] >> 3 & 7) == 2)
			return true;
	}
	return false;
#else
	return true;
#endif
}

/* After a return, the popped address still stands below the stack pointer. A 0
 * there proves nothing, because zeros are common. */
static bool
crash_was_returned_to(const struct failure_block *block)
{
#if defined(__x86_64__)
	uint64_t taken;

	return block->pc != 0 &&
		crash_memory_read(&taken, block->sp - sizeof(taken),
			sizeof(taken)) == sizeof(taken) &&
		taken == block->pc;
#else
	return false;
#endif
}

/* Is pc at a return instruction, so that the return address is at fault? */
static bool
crash_is_at_end(uint64_t pc)
{
	uint8_t code[4];

	if (crash_memory_read(code, pc, sizeof(code)) != sizeof(code))
		return false;
#if defined(__x86_64__)
	return code[0] == 0xc3 || code[0] == 0xc2 ||
		(code[0] == 0xf3 && code[1] == 0xc3);
#elif defined(__aarch64__)
	return memcmp(code, "\xc0\x03\x5f\xd6", sizeof(code)) == 0;
#else
	return false;
#endif
}

/*
 * Compilers emit unwind tables for every function, so a walk over an intact
 * stack reaches the call of the target. If the walk ends earlier, at a frame
 * that no call left, the stack has been overwritten. Hand-written code without
 * unwind tables and calls through bad pointers do not count, because they leave
 * proper return addresses.
 */
bool
crash_stack_is_smashed(const struct failure_block *block,
	const struct crash_stack *stack)
{
	/* A fault in the code that calls the target: the target returned and
	 * restored that code's registers from an overwritten stack. */
	if (block->code > 0 && crash_calls_target((uintptr_t)block->pc))
		return true;
	if (stack->met_call || stack->walked == FAILURE_FRAMES_MAX ||
		block->sp >= stack->bottom ||
		stack->bottom - block->sp > CRASH_STACK_LARGE ||
		(pid_t)syscall(SYS_gettid) != getpid() ||
		unwind_function((uintptr_t)__builtin_return_address(0)) == 0)
		return false;
	for (uint32_t i = 1; i < stack->walked; i++) {
		if (!crash_is_return(block->frames[i] + 1))
			return true;
	}
	if (stack->walked == 1 && block->address == block->pc)
		return crash_was_returned_to(block) ||
			!crash_is_return(stack->caller + 1);
	return unwind_function(block->frames[stack->walked - 1]) != 0;
}

void
crash_stack_cut(struct failure_block *block)
{
	uint32_t n = 1;

	while (n < block->frames_n && crash_is_return(block->frames[n] + 1))
		n++;
	if (block->signo != SIGABRT)
		n = crash_is_at_end(block->pc);
	block->frames[n] = FAILURE_SMASHED;
	block->frames_n = n + 1;
}
