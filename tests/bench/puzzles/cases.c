/*
 * cases: words of 32 bits drive a little machine through switches. Each state
 * has cases of its own; one way through them, three words long, is the
 * solution.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum state {
	STATE_IDLE,
	STATE_OPEN,
	STATE_ARMED,
	STATE_SOLVED,
};

static enum state
from_idle(uint32_t word)
{
	switch (word) {
	case 0x1badb002u:
	case 0x2badb002u:
	case 0x36d76289u:
		return STATE_IDLE;
	case 0xe85250d6u:
		return STATE_OPEN;
	default:
		return STATE_IDLE;
	}
}

static enum state
from_open(uint32_t word)
{
	switch (word) {
	case 0x04034b50u:
		return STATE_IDLE;
	case 0x02014b50u:
		return STATE_OPEN;
	case 0x08074b50u:
		return STATE_ARMED;
	default:
		return STATE_IDLE;
	}
}

static enum state
from_armed(uint32_t word)
{
	switch (word) {
	case 0xa1b2c3d4u:
	case 0x4d3cb2a1u:
		return STATE_OPEN;
	case 0x0a0d0d0au:
		return STATE_SOLVED;
	default:
		return STATE_IDLE;
	}
}

static enum state
step(enum state state, uint32_t word)
{
	if (state == STATE_OPEN)
		return from_open(word);
	if (state == STATE_ARMED)
		return from_armed(word);
	return from_idle(word);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	enum state state = STATE_IDLE;
	uint32_t word;

	for (; size >= sizeof(word); size -= sizeof(word)) {
		memcpy(&word, data, sizeof(word));
		data += sizeof(word);
		state = step(state, word);
		if (state == STATE_SOLVED)
			abort();
	}
	return 0;
}
