/*
 * helper: the process that reads debug information for other processes.
 *
 * It is the same executable, started again with SYMBOLS_HELPER_OPTION, so every
 * front end calls symbols_helper_main() before it parses options. The helper
 * answers requests on descriptor 0, a SOCK_SEQPACKET socket, one by one. Its
 * memory is limited, it writes no files, and it ends when the other side closes
 * the socket.
 */
#ifndef CFUZZ_SYMBOLS_HELPER_H
#define CFUZZ_SYMBOLS_HELPER_H

#include <stdbool.h>

#define SYMBOLS_HELPER_OPTION "--symbols-helper"

/*
 * Was this process started as a helper? Then it has run, and *status is its
 * exit status.
 */
bool symbols_helper_main(int argc, char **argv, int *status);

#endif
