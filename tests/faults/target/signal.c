/* Signals that the target sends to itself. */
#include <signal.h>

#include "fault.h"

#define SENDS(signo) FAULT(send_##signo, raise(signo))

SENDS(SIGBUS)
SENDS(SIGTRAP)
SENDS(SIGSYS)
SENDS(SIGKILL)
SENDS(SIGTERM)
SENDS(SIGINT)
SENDS(SIGHUP)
SENDS(SIGUSR1)
SENDS(SIGPIPE)
SENDS(SIGQUIT)
SENDS(SIGSTOP)

/* clang-format off */
const struct fault signal_faults[] = {
	{ "SIGBUS", send_SIGBUS, ON_F },
	{ "SIGTRAP", send_SIGTRAP, ON_F },
	{ "SIGSYS", send_SIGSYS, ON_F },
	{ "SIGKILL", send_SIGKILL, ON_F },
	{ "SIGTERM", send_SIGTERM, ON_F },
	{ "SIGINT", send_SIGINT, ON_F },
	{ "SIGHUP", send_SIGHUP, ON_F },
	{ "SIGUSR1", send_SIGUSR1, ON_F },
	{ "SIGPIPE", send_SIGPIPE, ON_F },
	{ "SIGQUIT", send_SIGQUIT, ON_F },
	{ "stopped", send_SIGSTOP, ON_F },
	{ NULL, NULL, ON_F },
};
/* clang-format on */
