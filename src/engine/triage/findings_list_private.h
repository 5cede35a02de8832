/* findings_list_private: struct findings, for findings_list.c. */
#ifndef CFUZZ_ENGINE_TRIAGE_FINDINGS_LIST_PRIVATE_H
#define CFUZZ_ENGINE_TRIAGE_FINDINGS_LIST_PRIVATE_H

#include <stddef.h>

struct finding;

struct findings {
	struct finding **list; /* owned */
	size_t n;
	struct finding *crash_minimizing; /* under --stop-on-crash */
};

#endif
