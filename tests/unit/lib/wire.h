/*
 * wire: a peer of control/frame.h on an event loop, and the other end of its
 * socket. A failure ends the test.
 */
#ifndef CFUZZ_TESTS_WIRE_H
#define CFUZZ_TESTS_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "control/frame.h"

struct wire {
	struct event_base *base;
	struct frame_peer *peer;
	int fd;
	int messages, closed, sent;
	bool destroy_on_message, destroy_on_sent, echo;
	uint64_t takes_ns; /* a message */
	char last[256];    /* member "text" of the last message */
	char why[256];
};

/* max: maximum length of a message from the other end. */
void wire_open(struct wire *wire, size_t max);
void wire_close(struct wire *wire);

/* Handles pending events without waiting. */
void wire_turn(struct wire *wire);

/* Writes all bytes to the peer and runs the loop while the socket is full. */
void wire_write(struct wire *wire, const char *bytes, size_t len);
void wire_say(struct wire *wire, const char *text);

/* A message of len bytes with its newline; the caller frees it. */
char *wire_message(size_t len);

/* Handlers that count in a struct wire, their argument. */
extern const struct frame_handlers wire_handlers;

#endif
