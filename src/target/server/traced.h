/*
 * traced: a process that has asked its parent to trace it.
 *
 * Some programs call ptrace(PTRACE_TRACEME), so that no debugger can attach. From
 * then on each of their signals stops them until their parent, which we are, lets
 * them go on.
 */
#ifndef CFUZZ_TARGET_SERVER_TRACED_H
#define CFUZZ_TARGET_SERVER_TRACED_H

#include <stdbool.h>
#include <sys/types.h>

/*
 * Lets a child of this process, which signo has stopped, go on with this signal,
 * or without it if it would stop the child again. False: the child is not
 * traced, or is gone; nothing has been done.
 */
bool traced_go_on(pid_t pid, int signo);

#endif
