/*
 * note: the ELF note that identifies a target without running it.
 *
 * Owner "cfuzz", type NOTE_TYPE, descriptor struct note (native byte order).
 * Every program linked with libcfuzz.a has it in section .note.cfuzz.
 */
#ifndef CFUZZ_SHARED_WIRE_NOTE_H
#define CFUZZ_SHARED_WIRE_NOTE_H

#include <stddef.h>
#include <stdint.h>

#define NOTE_OWNER "cfuzz"
#define NOTE_SECTION ".note.cfuzz"
#define NOTE_TYPE 0x63667a31u /* "cfz1" */

struct note {
	uint32_t wire_version; /* WIRE_VERSION */
	uint32_t features;     /* NOTE_FEATURE_… */
};
#define NOTE_FEATURE_FORK_SERVER 1u

#endif
