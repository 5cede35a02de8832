/*
 * afl_link: a running fork server of AFL++, and the words that it speaks in.
 */
#ifndef CFUZZ_ADAPTER_AFL_LINK_H
#define CFUZZ_ADAPTER_AFL_LINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "adapter/afl_memory.h"
#include "shared/status.h"

/* Counters in the shared memory of the map, as many as AFL++ offers. */
#define AFL_SERVER_MAP_MAX (8u << 20)
/* The memory of the input has room for at least so many bytes, and for no more
 * in a program with POSIX shared memory, which maps as many. */
#define AFL_SERVER_INPUT_MIN (1u << 20)
#define AFL_SERVER_WORDS_MAX (1u << 20) /* bytes of its dictionary */

struct afl_server {
	pid_t pid;                 /* 0: none runs */
	const char *path;          /* argv[0] of the specification */
	int command_fd, status_fd; /* above 199, close-on-exec; -1: none */
	struct afl_memory map;     /* the counters */
	uint32_t map_size;         /* counters in use */
	struct afl_memory input;   /* a length as uint32_t, then the input */
	bool shared_input;         /* the program reads its input there */
	uint32_t version;          /* of the new handshake; 0: the old one */
	/* The program's dictionary: for each word its length as a byte, then
	 * its bytes. Owned; not checked. */
	uint8_t *words;
	size_t words_len;
};

/* Reads exactly len bytes. E_TARGET: the program has closed its end. */
enum status afl_link_read(struct afl_server *server, void *to, size_t len,
	struct error *err) MUST_CHECK;
/* Writes one word of the protocol. E_TARGET: as of afl_link_read(). */
enum status afl_link_write(struct afl_server *server, uint32_t word,
	struct error *err) MUST_CHECK;

/* Waits for an answer, at most limit_ms (-1: without a limit), and as long again
 * after a signal. False: there is none yet. True also after an error. */
bool afl_link_wait(struct afl_server *server, int limit_ms);

#endif
