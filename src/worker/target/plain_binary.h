/*
 * plain_binary: can a program without instrumentation be fuzzed here, and with
 * which shared object?
 *
 * The dynamic linker loads the runtime into such a program, so a program that
 * is linked statically is refused. Breakpoints need an x86-64 processor.
 */
#ifndef CFUZZ_WORKER_TARGET_PLAIN_BINARY_H
#define CFUZZ_WORKER_TARGET_PLAIN_BINARY_H

#include <stddef.h>

#include "shared/status.h"

#define PLAIN_PRELOAD "libcfuzz-preload.so"
#define PLAIN_INTERPRETER_MAX 256

/*
 * interpreter: the dynamic linker that the program names, "" for none. Writes
 * the path of the shared object to preload, which has size bytes. E_TARGET: the
 * program cannot be fuzzed; the message says why and what to do. shown: the
 * program's name for people.
 */
enum status plain_binary_check(const char *shown, const char *interpreter,
	char *preload, size_t size, struct error *err) MUST_CHECK;

#endif
