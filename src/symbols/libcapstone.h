/*
 * libcapstone: what the reader calls of the library that reads machine code,
 * looked up at run time, as libdw.h does; for the helper alone.
 *
 * Built without its header, or on a machine without it, there is none, and
 * nobody knows where blocks end.
 */
#ifndef CFUZZ_SYMBOLS_LIBCAPSTONE_H
#define CFUZZ_SYMBOLS_LIBCAPSTONE_H

#if defined(__has_include)
#if __has_include(<capstone/capstone.h>)
#define LIBCAPSTONE 1
#endif
#endif

#ifdef LIBCAPSTONE
#include <capstone/capstone.h>

#define LIBCAPSTONE_FUNCTIONS(one) \
	one(cs_open) one(cs_close) one(cs_option) one(cs_malloc) one(cs_free) \
		one(cs_disasm_iter) one(cs_version)

/* NOLINTNEXTLINE(bugprone-macro-parentheses): it declares a name */
#define LIBCAPSTONE_MEMBER(name) __typeof__(name) *name;
struct libcapstone {
	LIBCAPSTONE_FUNCTIONS(LIBCAPSTONE_MEMBER)
};
#endif

/* Loaded by the first call; NULL: there is none. */
struct libcapstone;
const struct libcapstone *libcapstone_get(void);

#endif
