/*
 * libcapstone: the functions of the disassembler library Capstone, loaded at
 * run time as in libdw.h. Only for the helper process.
 *
 * Without its header at build time, or without the library at run time, there
 * is no disassembler, and the ends of blocks are unknown.
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

/* Loads the library in the first call, and never unloads it; NULL: not
 * available. */
struct libcapstone;
const struct libcapstone *libcapstone_get(void);

#endif
