/*
 * function_set: functions that were reached, by module and name.
 *
 * A set of 64-bit hashes; collisions are ignored. When it has FUNCTION_SET_MAX
 * functions, no function is new any more.
 */
#ifndef CFUZZ_ENGINE_FUNCTIONS_FUNCTION_SET_H
#define CFUZZ_ENGINE_FUNCTIONS_FUNCTION_SET_H

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
/* module: the index of its module. True: the function was not in the set
 * before. */
bool function_set_add(struct function_set *set, uint32_t module,
	const char *name);

#endif
