/*
 * messages: log lines, journal events and the texts of the screen.
 */
#ifndef CFUZZ_ENGINE_MESSAGES_H
#define CFUZZ_ENGINE_MESSAGES_H

#include "engine/engine.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

struct engine;
struct rpc_reply;

struct messages {
	engine_report_fn *report;
	void *report_arg;
	struct event_ring *events;    /* the newest journal events */
	uint64_t line_count, line_ns; /* at the last statistics line */
	struct kept_warning {
		const char *kind; /* event type */
		char *text;
	} * warnings; /* to print when the run begins */
	size_t warnings_n;
	bool odd_return_said, module_room_said, disk_said;
	char last[256]; /* for the screen */
};

void message_print(struct engine *e, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
/* A line and an event about a problem that does not stop the run. */
void message_warn(struct engine *e, const char *kind, const char *text);
/* Shows a journal line of an earlier run again. */
void message_recall(struct engine *e, const json_t *event);
/* Hints on the build of the target, from its first worker. */
void hints_say(struct engine *e, const struct rpc_reply *ping);
void message_statistics(struct engine *e);
void message_warm(struct engine *e); /* W2 or W4 */
/* An event: to the journal, the front ends and the screen. */
void message_event(struct engine *e, const char *kind, json_t *take_members,
	const char *fmt, ...) __attribute__((format(printf, 4, 5)));

#endif
