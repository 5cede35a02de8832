/*
 * afl_server: starts a program of AFL++ and speaks its fork-server protocol.
 *
 * The program reads commands from descriptor 198 and writes answers to 199, in
 * words of 32 bits. There are two handshakes: the old one is a word of flags,
 * the new one (AFL++ 4.20 and later) begins with "AFL" and a version.
 */
#ifndef CFUZZ_ADAPTER_AFL_SERVER_H
#define CFUZZ_ADAPTER_AFL_SERVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "adapter/afl_binary.h"
#include "adapter/afl_link.h"
#include "shared/status.h"

struct afl_server_spec {
	char **argv; /* argv[0] is the program's path; stays valid */
	/* The file_stamp() that the program must have; NULL: any. Stays
	 * valid. */
	const char *stamp;
	const struct afl_binary *binary; /* stays valid */
	size_t input_max;                /* the longest input, in bytes */
	const char *preload;             /* a library to load; NULL: none */
	int head_fd;        /* worker memory, to which that library writes */
	const char *cmplog; /* name of the memory for comparisons, or NULL */
};

/*
 * Starts the program, with the standard input of this process, and waits for
 * its handshake, however long that takes. Before, the server holds zeros, or
 * was stopped: then its memory is used again. E_TARGET: the program is no fork
 * server, one that cfuzz cannot drive, or was built again; err says why. E_IO: the system
 * refused. E_NOMEM. After an error the server has neither process nor memory.
 */
enum status afl_server_start(struct afl_server *server,
	const struct afl_server_spec *spec, struct error *err) MUST_CHECK;

/*
 * Writes the words of the program's dictionary in a row, as many as fit into
 * `room` bytes: for each, its length as uint32_t, then its bytes. Returns their
 * number.
 */
uint32_t afl_server_words(const struct afl_server *server, uint8_t *to,
	size_t room);

/* Hands the input over in memory; only with server->shared_input. Bytes beyond
 * the memory's size are cut off. */
void afl_server_put(struct afl_server *server, const uint8_t *data, size_t len);

/*
 * Reads the process number of a run that afl_link_write() has commanded. The
 * word of that command is 1 if the process of the last run was stopped and has
 * been killed since, else 0. E_TARGET: the fork server has died or answers
 * nonsense.
 */
enum status afl_server_pid(struct afl_server *server, pid_t *pid,
	struct error *err) MUST_CHECK;
/* Waits for the end of the run and reads its wait status. E_TARGET: the fork
 * server has died. */
enum status afl_server_status(struct afl_server *server, int *wait_status,
	struct error *err) MUST_CHECK;

/* Kills and reaps the fork server; its memory stays. */
void afl_server_stop(struct afl_server *server);

#endif
