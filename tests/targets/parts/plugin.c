/* A module that a target loads while it runs; it walks a staircase. */

#include <stddef.h>
#include <stdint.h>

int plugin_look(const uint8_t *data, size_t size);

#ifdef PLUGIN_ROOM
char plugin_room[PLUGIN_ROOM]; /* behind the counters */
#endif

int
plugin_look(const uint8_t *data, size_t size)
{
	int steps = 0;

	if (size > 1 && data[1] == 'a') {
		steps++;
		if (size > 2 && data[2] == 'b')
			steps++;
	}
	if (size > 1 && data[1] == '!')
		*(volatile int *)(uintptr_t)(size - 2) = steps;
	return steps;
}
