/*
 * lua: Lua's parser as a target: text is compiled, nothing is executed.
 * Memory is bounded, and the state is made anew each time. Build Lua with
 * -D'luai_makeseed(L)=0', or its tables are in another order each time.
 */
#include <lauxlib.h>
#include <lua.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MEMORY_MAX (16u << 20)

struct memory {
	size_t used;
};

/* old_len is a type, not a length, when there is no old block. */
static void *
on_allocate(void *data, void *old, size_t old_len, size_t new_len)
{
	struct memory *memory = data;
	void *block;

	if (old == NULL)
		old_len = 0;
	if (new_len == 0) {
		memory->used -= old_len;
		free(old);
		return NULL;
	}
	if (new_len > old_len && new_len - old_len > MEMORY_MAX - memory->used)
		return NULL;
	block = realloc(old, new_len);
	if (block != NULL)
		memory->used += new_len - old_len;
	return block;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct memory memory = { .used = 0 };
	lua_State *state = lua_newstate(on_allocate, &memory);

	if (state == NULL)
		return 0;
	(void)luaL_loadbufferx(state, (const char *)data, size, "=input", "t");
	lua_close(state);
	return 0;
}
