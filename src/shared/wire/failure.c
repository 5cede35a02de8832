/*
 * failure: the kinds of failures and the signals, see failure.h.
 * failure_describe.c describes a failure, failure_hash.c hashes its stack,
 * failure_cut.c keeps the target's frames, failure_report.c reads sanitizer
 * reports.
 */

#include "shared/wire/failure.h"

#include <signal.h>
#include <string.h>

static const char *const FAILURE_NAMES[FAILURE_KIND_COUNT] = {
	[FAILURE_NONE] = "none",
	[FAILURE_SIGNAL] = "signal",
	[FAILURE_SANITIZER] = "sanitizer",
	[FAILURE_EXIT] = "exit",
	[FAILURE_ERROR] = "error",
	[FAILURE_INPUT_MODIFIED] = "input-modified",
	[FAILURE_HANG] = "hang",
	[FAILURE_STOPPED] = "stopped",
	[FAILURE_OOM] = "oom",
	[FAILURE_LEAK] = "leak",
	[FAILURE_KILLED] = "killed",
	[FAILURE_LINK] = "link",
	[FAILURE_PROTOCOL] = "protocol",
	[FAILURE_MUTATOR] = "mutator",
};

/* clang-format off */
static const struct failure_signal {
	int signo;
	bool crash;
	const char *name;
	const char *text;
} FAILURE_SIGNALS[] = {
	{ SIGILL,    true,  "SIGILL",    "illegal instruction" },
	{ SIGTRAP,   true,  "SIGTRAP",   "trace/breakpoint trap" },
	{ SIGABRT,   true,  "SIGABRT",   "aborted" },
	{ SIGBUS,    true,  "SIGBUS",    "bus error" },
	{ SIGFPE,    true,  "SIGFPE",    "floating point exception" },
	{ SIGSEGV,   true,  "SIGSEGV",   "segmentation fault" },
	{ SIGPIPE,   true,  "SIGPIPE",   "broken pipe" },
	{ SIGSYS,    true,  "SIGSYS",    "bad system call" },
	{ SIGHUP,    false, "SIGHUP",    "hangup" },
	{ SIGINT,    false, "SIGINT",    "interrupt" },
	{ SIGQUIT,   false, "SIGQUIT",   "quit" },
	{ SIGKILL,   false, "SIGKILL",   "killed" },
	{ SIGUSR1,   false, "SIGUSR1",   "user defined signal 1" },
	{ SIGUSR2,   false, "SIGUSR2",   "user defined signal 2" },
	{ SIGALRM,   false, "SIGALRM",   "alarm clock" },
	{ SIGTERM,   false, "SIGTERM",   "terminated" },
	{ SIGSTKFLT, false, "SIGSTKFLT", "stack fault" },
	{ SIGCHLD,   false, "SIGCHLD",   "child exited" },
	{ SIGCONT,   false, "SIGCONT",   "continued" },
	{ SIGSTOP,   false, "SIGSTOP",   "stopped (signal)" },
	{ SIGTSTP,   false, "SIGTSTP",   "stopped" },
	{ SIGTTIN,   false, "SIGTTIN",   "stopped (tty input)" },
	{ SIGTTOU,   false, "SIGTTOU",   "stopped (tty output)" },
	{ SIGURG,    false, "SIGURG",    "urgent I/O condition" },
	{ SIGXCPU,   false, "SIGXCPU",   "CPU time limit exceeded" },
	{ SIGXFSZ,   false, "SIGXFSZ",   "file size limit exceeded" },
	{ SIGVTALRM, false, "SIGVTALRM", "virtual timer expired" },
	{ SIGPROF,   false, "SIGPROF",   "profiling timer expired" },
	{ SIGWINCH,  false, "SIGWINCH",  "window changed" },
	{ SIGIO,     false, "SIGIO",     "I/O possible" },
	{ SIGPWR,    false, "SIGPWR",    "power failure" },
};

/* Signals without a name in the table: the number as a word. */
static const char *const FAILURE_NUMBERS[] = {
	"signal 0",  "SIG1",  "SIG2",  "SIG3",  "SIG4",  "SIG5",  "SIG6",
	"SIG7",      "SIG8",  "SIG9",  "SIG10", "SIG11", "SIG12", "SIG13",
	"SIG14",     "SIG15", "SIG16", "SIG17", "SIG18", "SIG19", "SIG20",
	"SIG21",     "SIG22", "SIG23", "SIG24", "SIG25", "SIG26", "SIG27",
	"SIG28",     "SIG29", "SIG30", "SIG31", "SIG32", "SIG33", "SIG34",
	"SIG35",     "SIG36", "SIG37", "SIG38", "SIG39", "SIG40", "SIG41",
	"SIG42",     "SIG43", "SIG44", "SIG45", "SIG46", "SIG47", "SIG48",
	"SIG49",     "SIG50", "SIG51", "SIG52", "SIG53", "SIG54", "SIG55",
	"SIG56",     "SIG57", "SIG58", "SIG59", "SIG60", "SIG61", "SIG62",
	"SIG63",     "SIG64",
};
/* clang-format on */

#define FAILURE_N(array) (sizeof(array) / sizeof((array)[0]))

static const struct failure_signal *
failure_find_signal(int signo)
{
	for (size_t i = 0; i < FAILURE_N(FAILURE_SIGNALS); i++) {
		if (FAILURE_SIGNALS[i].signo == signo)
			return &FAILURE_SIGNALS[i];
	}
	return NULL;
}

bool
failure_is_crash_signal(int signo)
{
	const struct failure_signal *found = failure_find_signal(signo);

	return found != NULL && found->crash;
}

bool
failure_is_suspect(enum failure_kind kind)
{
	return kind == FAILURE_KILLED || kind == FAILURE_LINK ||
		kind == FAILURE_PROTOCOL;
}

bool
failure_is_slow(enum failure_kind kind)
{
	return kind == FAILURE_HANG || kind == FAILURE_OOM ||
		kind == FAILURE_STOPPED;
}

bool
failure_is_module(const char *module, const char *name, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++)
		if (module[i] != name[i] &&
			(module[i] != '?' ||
				(name[i] >= ' ' && name[i] <= '~')))
			return false;
	return module[i] == '\0';
}

const char *
failure_kind_name(enum failure_kind kind)
{
	if ((unsigned)kind >= FAILURE_KIND_COUNT)
		return "unknown";
	return FAILURE_NAMES[kind];
}

enum failure_kind
failure_kind_parse(const char *name)
{
	for (unsigned i = 0; i < FAILURE_KIND_COUNT; i++) {
		if (strcmp(name, FAILURE_NAMES[i]) == 0)
			return (enum failure_kind)i;
	}
	return FAILURE_NONE;
}

const struct failure_class *
failure_class(enum failure_kind kind)
{
	static const struct failure_class crash = { "crash", "crash",
		"crashes" };
	static const struct failure_class hang = { "hang", "hang", "hangs" };
	static const struct failure_class oom = { "oom", "out of memory",
		"ooms" };
	static const struct failure_class leak = { "leak", "leak", "leaks" };

	switch (kind) {
	case FAILURE_HANG:
	case FAILURE_STOPPED:
		return &hang;
	case FAILURE_OOM:
		return &oom;
	case FAILURE_LEAK:
		return &leak;
	default:
		return &crash;
	}
}

const char *
failure_signal_name(int signo)
{
	const struct failure_signal *found = failure_find_signal(signo);

	if (found != NULL)
		return found->name;
	if (signo > 0 && (size_t)signo < FAILURE_N(FAILURE_NUMBERS))
		return FAILURE_NUMBERS[signo];
	return FAILURE_NUMBERS[0];
}

const char *
failure_signal_text(int signo)
{
	const struct failure_signal *found = failure_find_signal(signo);

	return found != NULL ? found->text : failure_signal_name(signo);
}
