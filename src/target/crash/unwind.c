/*
 * unwind: see unwind.h. All symbols are weak: a program in C may lack them.
 */

#include "target/crash/unwind.h"

#include <dlfcn.h>
#include <stddef.h>
#include <unwind.h>

#include "target/abi.h"
#include "target/crash/returns.h"

#define UNWIND_LIBRARY "libgcc_s.so.1"
#define UNWIND_MAX 256 /* frames in a walk */
#define UNWIND_MAX_PLAIN 64

/* clang-format off */
ABI_WEAK _Unwind_Reason_Code _Unwind_Backtrace(_Unwind_Trace_Fn fn, void *arg);
ABI_WEAK _Unwind_Ptr _Unwind_GetIP(struct _Unwind_Context *context);
ABI_WEAK _Unwind_Word _Unwind_GetCFA(struct _Unwind_Context *context);
ABI_WEAK void *_Unwind_FindEnclosingFunction(void *code);
ABI_WEAK _Unwind_Reason_Code _Unwind_RaiseException(struct _Unwind_Exception *exception);
ABI_WEAK void _Unwind_Resume(struct _Unwind_Exception *exception);
ABI_WEAK _Unwind_Reason_Code _Unwind_Resume_or_Rethrow(struct _Unwind_Exception *exception);
ABI_WEAK _Unwind_Reason_Code _Unwind_ForcedUnwind(struct _Unwind_Exception *exception, _Unwind_Stop_Fn stop, void *arg);
/* The runtime's own; see the Makefile. */
ABI_WEAK _Unwind_Reason_Code own_Unwind_Backtrace(_Unwind_Trace_Fn fn, void *arg);
ABI_WEAK _Unwind_Ptr own_Unwind_GetIP(struct _Unwind_Context *context);
ABI_WEAK _Unwind_Word own_Unwind_GetCFA(struct _Unwind_Context *context);
ABI_WEAK void *own_Unwind_FindEnclosingFunction(void *code);
/* Absent from some C libraries. */
ABI_WEAK int backtrace(void **buffer, int size);
/* Absent from a program that is linked statically. */
ABI_WEAK void *dlopen(const char *, int);
ABI_WEAK void *dlsym(void *, const char *);
/* clang-format on */

/* Set once, before the first child. */
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
static struct unwind {
	_Unwind_Reason_Code (*walk)(_Unwind_Trace_Fn fn, void *arg);
	_Unwind_Ptr (*get_code)(struct _Unwind_Context *context);
	_Unwind_Word (*get_caller)(struct _Unwind_Context *context);
	void *(*find)(void *code);
} unwind;

struct unwind_walk {
	unwind_fn *on_frame;
	void *arg;
	bool slots;
	unsigned n;
	uintptr_t told; /* in place of the trap before; 0: it was none */
};

static bool
unwind_is_whole(void)
{
	return unwind.walk != NULL && unwind.get_code != NULL &&
		unwind.get_caller != NULL;
}

/*
 * Returns whether it knows this code. If a program registers its frames when it
 * starts, as some static ones do, only the program's own unwinder knows them.
 */
__attribute__((noinline)) static bool
unwind_take_own(void)
{
	if (own_Unwind_FindEnclosingFunction == NULL ||
		own_Unwind_FindEnclosingFunction(__builtin_return_address(0)) ==
			NULL)
		return false;
	unwind = (struct unwind){ own_Unwind_Backtrace, own_Unwind_GetIP,
		own_Unwind_GetCFA, own_Unwind_FindEnclosingFunction };
	return true;
}

/* All from the same library, because they share the context type. */
static void
unwind_load(void)
{
	void *library;

	unwind = (struct unwind){ _Unwind_Backtrace, _Unwind_GetIP,
		_Unwind_GetCFA, _Unwind_FindEnclosingFunction };
	if (unwind_is_whole() || unwind_take_own() || dlopen == NULL ||
		dlsym == NULL)
		return;
	library = dlopen(UNWIND_LIBRARY, RTLD_NOW);
	if (library == NULL)
		return;
	/* POSIX way to turn an object pointer into a function pointer. */
	*(void **)&unwind.walk = dlsym(library, "_Unwind_Backtrace");
	*(void **)&unwind.get_code = dlsym(library, "_Unwind_GetIP");
	*(void **)&unwind.get_caller = dlsym(library, "_Unwind_GetCFA");
	*(void **)&unwind.find =
		dlsym(library, "_Unwind_FindEnclosingFunction");
}

static bool
unwind_ignore(void *arg, const struct unwind_frame *frame)
{
	return true;
}

void
unwind_prepare(void)
{
	unwind_load();
	unwind_walk(unwind_ignore, NULL, true);
	(void)unwind_function((uintptr_t)__builtin_return_address(0));
}

/*
 * The library gives the stack pointer before the callee was called. On x86-64
 * the callee's return address stands right below.
 */
static uintptr_t
unwind_slot(struct _Unwind_Context *context, uintptr_t code)
{
#if defined(__x86_64__)
	uintptr_t top = unwind.get_caller(context);
	uintptr_t slot = top - sizeof(code);

	if (top % sizeof(code) == 0 && top > UINT16_MAX &&
		*(const uintptr_t *)slot == code)
		return slot;
#else
#endif
	return 0;
}

/*
 * Reports a frame; a trap as the return address that it stands for. An unwinder
 * that knows the trap's call frame information visits that address next: this
 * second frame is skipped.
 */
static bool
unwind_tell(struct unwind_walk *walk, struct unwind_frame *frame)
{
	uintptr_t told = walk->told;

	walk->told = 0;
	if (told != 0 && frame->code == told)
		return true;
	walk->told = returns_code(frame->code);
	if (walk->told != 0)
		frame->code = walk->told;
	return walk->on_frame(walk->arg, frame);
}

static _Unwind_Reason_Code
unwind_on_frame(struct _Unwind_Context *context, void *arg)
{
	struct unwind_walk *walk = arg;
	struct unwind_frame frame = { .code = unwind.get_code(context) };

	if (frame.code == 0)
		return _URC_END_OF_STACK;
	/* The first frame is this walk's own. */
	if (walk->n > 0 && walk->slots)
		frame.slot = unwind_slot(context, frame.code);
	if (++walk->n > UNWIND_MAX || !unwind_tell(walk, &frame))
		return _URC_END_OF_STACK;
	return _URC_NO_REASON;
}

static void
unwind_walk_plainly(struct unwind_walk *walk)
{
	void *codes[UNWIND_MAX_PLAIN];
	int n = backtrace != NULL ? backtrace(codes, UNWIND_MAX_PLAIN) : 0;

	for (int i = 0; i < n; i++) {
		struct unwind_frame frame = { .code = (uintptr_t)codes[i] };

		if (!unwind_tell(walk, &frame))
			return;
	}
}

void
unwind_walk(unwind_fn *on_frame, void *arg, bool slots)
{
	struct unwind_walk walk = {
		.on_frame = on_frame,
		.arg = arg,
		.slots = slots,
	};

	if (unwind_is_whole())
		(void)unwind.walk(unwind_on_frame, &walk);
	else
		unwind_walk_plainly(&walk);
}

uintptr_t
unwind_function(uintptr_t code)
{
	return unwind.find != NULL ? (uintptr_t)unwind.find((void *)code) : 0;
}

bool
unwind_begins_at(uintptr_t function)
{
	return function != 0 &&
		(function == (uintptr_t)_Unwind_RaiseException ||
			function == (uintptr_t)_Unwind_Resume ||
			function == (uintptr_t)_Unwind_Resume_or_Rethrow ||
			function == (uintptr_t)_Unwind_ForcedUnwind ||
			function == (uintptr_t)_Unwind_Backtrace);
}

/* The largest function that is searched for its end. */
#define UNWIND_FUNCTION_MAX ((uintptr_t)1 << 24)

uintptr_t
unwind_function_end(uintptr_t start)
{
	/* The function of an address is that of the byte before it. */
	uintptr_t in = 1, out = 2, middle;

	if (unwind_function(start + in) != start)
		return start;
	for (; unwind_function(start + out) == start; out *= 2) {
		if (out == UNWIND_FUNCTION_MAX)
			return start;
		in = out;
	}
	while (out - in > 1) {
		middle = in + (out - in) / 2;
		if (unwind_function(start + middle) == start)
			in = middle;
		else
			out = middle;
	}
	return start + in;
}
