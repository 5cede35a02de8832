/*
 * afl_hello: the handshake with a fork server of AFL++, see afl_server.h.
 */
#ifndef CFUZZ_ADAPTER_AFL_HELLO_H
#define CFUZZ_ADAPTER_AFL_HELLO_H

#include "adapter/afl_link.h"

/* Reads and answers the hello; fills in what it says. */
enum status afl_hello(struct afl_server *server, struct error *err) MUST_CHECK;

#endif
