/*
 * helper: the process that reads debug information for others.
 *
 * It is the same executable, started again with SYMBOLS_HELPER_OPTION, so
 * every front end calls symbols_helper_main() before it looks at its options.
 * It answers requests on descriptor 0 (a SOCK_SEQPACKET socket) one by one,
 * has little memory, leaves nothing behind, and ends with whoever asked.
 */
#ifndef CFUZZ_SYMBOLS_HELPER_H
#define CFUZZ_SYMBOLS_HELPER_H

#include <stdbool.h>

#define SYMBOLS_HELPER_OPTION "--symbols-helper"

/* Whether this process was started as a helper; then *status is its end. */
bool symbols_helper_main(int argc, char **argv, int *status);

#endif
