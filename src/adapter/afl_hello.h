/*
 * afl_hello: the handshake with a fork server of AFL++, see afl_server.h.
 */
#ifndef CFUZZ_ADAPTER_AFL_HELLO_H
#define CFUZZ_ADAPTER_AFL_HELLO_H

#include "adapter/afl_link.h"

/*
 * Reads the hello, however long it takes, and answers it. Sets map_size,
 * shared_input, version and the words of *server. E_TARGET: the program has
 * ended and is reaped (pid is 0 then), or it says what cfuzz does not know.
 * E_NOMEM: no memory for its dictionary.
 */
enum status afl_hello(struct afl_server *server, struct error *err) MUST_CHECK;

#endif
