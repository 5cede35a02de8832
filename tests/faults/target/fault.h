/*
 * fault: a target that does what FAULT names, on each input that begins with
 * an F. tests/faults/README.md says what the names mean.
 */
#ifndef FAULT_H
#define FAULT_H

#include <stddef.h>
#include <stdint.h>

#include "probe.h"

/* When it does it. */
enum fault_when {
	ON_F,    /* of an input that begins with an F */
	ON_EACH, /* of each input */
	AT_START,
};

struct fault {
	const char *name;
	void (*run)(const uint8_t *data, size_t size);
	enum fault_when when;
};

#define UNUSED (void)data, (void)size

/* A fault that is one statement, whatever the input. */
#define FAULT(name, statement) \
	static void name(const uint8_t *data, size_t size) \
	{ \
		UNUSED; \
		statement; \
	}

/* What is written so that no compiler leaves it out. */
extern volatile uint64_t fault_sink;

/* Each ends with a row without a name. */
extern const struct fault crash_faults[];
extern const struct fault signal_faults[];
extern const struct fault hang_faults[];
extern const struct fault process_faults[];
extern const struct fault memory_faults[];
extern const struct fault shared_faults[];
extern const struct fault link_faults[];
extern const struct fault around_faults[];
extern const struct fault odd_faults[];

/* The next row of /proc/self/maps that can be written and is shared with
 * others; 0: there is none. */
int fault_next_shared(FILE *maps, unsigned long *from, unsigned long *to);

#endif
