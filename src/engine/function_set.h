/*
 * function_set: functions that were reached, by module and name.
 *
 * A set of hashes: a function is taken for another once in a world. It is
 * bounded; when it is full, what is new is not new.
 */
#ifndef CFUZZ_ENGINE_FUNCTION_SET_H
#define CFUZZ_ENGINE_FUNCTION_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FUNCTION_SET_MAX 65536u

/* Empty: all zero. */
struct function_set {
	uint64_t *slots; /* owned; 0: free */
	uint32_t room;   /* a power of two, or 0 */
	uint32_t n;
};

void function_set_clear(struct function_set *set);
/* True: it was not there before. */
bool function_set_add(struct function_set *set, uint32_t module,
	const char *name);

#endif
