/* messages_private: struct messages, for messages.c. */
#ifndef CFUZZ_ENGINE_LOG_MESSAGES_PRIVATE_H
#define CFUZZ_ENGINE_LOG_MESSAGES_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>

#include "engine/log/engine_report.h"

struct messages {
	engine_report_fn *report;
	void *report_arg;
	struct event_ring *events; /* the newest journal events */
	struct kept_warning {
		const char *kind; /* event type, a literal */
		char *text;       /* owned */
	} * warnings;             /* to print when the run begins */
	size_t warnings_n;
	char *last_words; /* lines that nobody has taken yet; owned, or NULL */
	const char *user; /* whose command runs; NULL: none */
	bool odd_return_said, module_room_said, disk_said;
};

#endif
