/* examine: see examine.h. */

#include "target/server/examine.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "target/abi.h"
#include "target/child/custom.h"
#include "target/child/leaks.h"
#include "target/child/refusal.h"
#include "target/crash/sanitizers.h"
#include "target/crash/unwind.h"

/* Reads what the last executions have written; returns their number. */
static size_t
examine_read(struct fork_server *server, int fd)
{
	off_t end = fd >= 0 ? lseek(fd, 0, SEEK_CUR) : 0;
	size_t len = end > 0 ? (size_t)end : 0;
	ssize_t n;

	if (len > FORK_SERVER_REPORT_MAX)
		len = FORK_SERVER_REPORT_MAX;
	if (len == 0)
		return 0;
	n = pread(fd, server->report, len, 0);
	return n > 0 ? (size_t)n : 0;
}

/* In the input's buffer, or at most a page behind it. */
static bool
examine_is_beyond_input(const struct fork_server *server, uint64_t address)
{
	const struct guard *guard = &server->runner->guard;
	uint64_t end = (uintptr_t)guard->end;

	return address >= end - guard->size && address < end + GUARD_PAGE;
}

/* Within a page of the buffer of a custom mutator that was running. */
static bool
examine_is_beside_room(const struct fork_server *server, uint64_t address)
{
	const struct failure_block *block = &server->worker->head->failure;

	return block->origin != FAILURE_IN_TARGET &&
		address >= block->room_start - GUARD_PAGE &&
		address < block->room_end + GUARD_PAGE;
}

/* The hexadecimal number behind the label; 0 if there is none. */
static uint64_t
examine_number_behind(const struct fork_server *server, size_t len,
	const char *label)
{
	const char *found = memmem(server->report, len, label, strlen(label));
	char digits[17] = "";

	if (found == NULL)
		return 0;
	found += strlen(label);
	len -= (size_t)(found - server->report);
	memcpy(digits, found, len < 16 ? len : 16);
	return strtoull(digits, NULL, 16);
}

/* The address in the report; 0 if it has none. */
static uint64_t
examine_report_address(const struct fork_server *server, size_t len)
{
	uint64_t address = examine_number_behind(server, len, " on address 0x");

	return address != 0
		? address
		: examine_number_behind(server, len, " on unknown address 0x");
}

/*
 * The bytes around the input are poisoned, so ASan reports a use of poison. For
 * the user that is an access outside of the input. The same holds for the bytes
 * around the buffer of a custom mutator.
 */
static void
examine_name_input(struct fork_server *server, struct failure *f, size_t len)
{
	uint64_t address = examine_report_address(server, len);
	bool custom = examine_is_beside_room(server, address);
	size_t used = strlen(f->text);
	char access[FAILURE_TEXT_MAX];
	const char *size;

	if (custom && strcmp(f->what, "SEGV") == 0)
		(void)snprintf(f->text + used, sizeof(f->text) - used,
			" outside of its buffer");
	/* For the partly poisoned last granule, ASan reports
	 * "unknown-crash". */
	if ((strcmp(f->what, "use-after-poison") != 0 &&
		    strcmp(f->what, "unknown-crash") != 0) ||
		(!custom && !examine_is_beyond_input(server, address)))
		return;
	size = strchr(f->text, '(');
	(void)snprintf(access, sizeof(access), "%s", size ? size : "");
	(void)snprintf(f->what, sizeof(f->what), "%s-buffer-overflow",
		custom ? "mutator" : "input");
	(void)snprintf(f->text, sizeof(f->text),
		"AddressSanitizer: outside of %s %.*s",
		custom ? "its buffer" : "the input", 64, access);
}

/* A run may have started a program with a sanitizer, or have loaded a library
 * with one, which then ends by exit() or, in a program, by abort(). */
static bool
examine_is_sanitized(const struct fork_server *server, const struct failure *f)
{
	const struct worker *w = server->worker;
	const char *name =
		w->foreign != NULL ? w->foreign->sanitizer : sanitizers_name();

	return name[0] != '\0' || f->signo == 0 ||
		((w->on_child != NULL || w->foreign != NULL) &&
			f->signo == SIGABRT);
}

/* A report says more than a signal or an exit status. */
static bool
examine_parse(struct fork_server *server, struct failure *f)
{
	bool sanitized = examine_is_sanitized(server, f);
	size_t len = examine_read(server, server->worker->report_fd);

	if (len == 0 || !failure_parse_report(f, server->report, len)) {
		len = examine_read(server, server->worker->stderr_fd);
		if (len == 0 ||
			!(sanitized ? failure_parse_report
				    : failure_parse_output)(f, server->report,
				len))
			return false;
	}
	examine_name_input(server, f, len);
	return true;
}

static bool
examine_has_module(const struct failure_module *modules, uint32_t n,
	const struct failure_module *module)
{
	for (uint32_t i = 0; i < n; i++) {
		if (modules[i].start == module->start &&
			modules[i].bias == module->bias &&
			strncmp(modules[i].name, module->name,
				sizeof(module->name)) == 0)
			return true;
	}
	return false;
}

/* Is there room for a module, as well as for the parts of the runtime? */
static bool
examine_has_room(uint32_t n, const struct failure_module *module)
{
	return n < FAILURE_MODULES_MAX - FAILURE_PARTS ||
		(n < FAILURE_MODULES_MAX && module->name[0] == '/');
}

/*
 * Adds the modules of the fork server to those of the child, most of which are
 * the same. The child's are first, and there is always room for them: they may
 * lie where one was closed.
 */
static uint32_t
examine_modules(const struct fork_server *server,
	struct failure_module modules[FAILURE_MODULES_MAX])
{
	const struct worker_head *head = server->worker->head;
	uint32_t n = head->map_n;

	/* The target has overwritten it. */
	if (n > FAILURE_MODULES_MAX)
		n = 0;
	memcpy(modules, head->map, n * sizeof(*modules));
	for (uint32_t i = 0; i < server->modules_n; i++) {
		const struct failure_module *m = &server->modules[i];

		if (examine_has_room(n, m) &&
			!examine_has_module(modules, n, m))
			modules[n++] = *m;
	}
	return n;
}

/* clang-format off */
ABI_WEAK void *reallocarray(void *at, size_t n, size_t size);
ABI_WEAK void *aligned_alloc(size_t align, size_t size);
ABI_WEAK int posix_memalign(void **at, size_t align, size_t size);
ABI_WEAK void *memalign(size_t align, size_t size);
ABI_WEAK char *__strdup(const char *text);
ABI_WEAK void *_Znwm(size_t size);
ABI_WEAK void *_Znam(size_t size);
/* clang-format on */

/* Is the frame in an allocator that is part of the program itself? */
static bool
examine_allocates(const struct fork_server *server,
	const struct failure_frame *frame)
{
	const uintptr_t makers[] = { (uintptr_t)malloc, (uintptr_t)calloc,
		(uintptr_t)realloc, (uintptr_t)strdup, (uintptr_t)strndup,
		(uintptr_t)__strdup, (uintptr_t)reallocarray,
		(uintptr_t)aligned_alloc, (uintptr_t)posix_memalign,
		(uintptr_t)memalign, (uintptr_t)_Znwm, (uintptr_t)_Znam };
	uintptr_t start = 0;

	for (uint32_t i = 0; i < server->modules_n && start == 0; i++) {
		if (strcmp(frame->module, server->modules[i].name) == 0)
			start = unwind_function(
				server->modules[i].bias + frame->offset);
	}
	for (size_t i = 0; i < sizeof(makers) / sizeof(makers[0]); i++) {
		if (start != 0 && makers[i] == start)
			return true;
	}
	return false;
}

/* Removes the allocator's frames, so that the target's frame is first. */
static void
examine_describe_leak(struct fork_server *server, struct failure *f)
{
	struct failure_module modules[FAILURE_MODULES_MAX];
	struct failure report = *f;

	if (!examine_parse(server, &report) || report.kind != FAILURE_LEAK)
		return;
	failure_cut(&report, modules, examine_modules(server, modules));
	while (report.frames_n > 1 &&
		examine_allocates(server, &report.frames[0]))
		memmove(report.frames, report.frames + 1,
			--report.frames_n * sizeof(report.frames[0]));
	*f = report;
}

/* The leak check itself has killed the child: no more leak checks here. */
static bool
examine_is_blind(struct fork_server *server, const struct failure *f)
{
	const struct worker_head *head = server->worker->head;
	size_t len;

	if (server->leaks != LEAKS_FOUND || head->leaks.looking != 1)
		return false;
	len = examine_read(server, server->worker->report_fd);
	if (f->signo != SIGKILL && !leaks_is_refusal(server->report, len)) {
		len = examine_read(server, server->worker->stderr_fd);
		if (!leaks_is_refusal(server->report, len))
			return false;
	}
	server->leaks = LEAKS_BROKEN;
	return true;
}

static void
examine_describe(struct fork_server *server, int wait_status, struct failure *f)
{
	struct failure_module modules[FAILURE_MODULES_MAX];
	struct failure_block block = server->worker->head->failure;
	uint32_t n = examine_modules(server, modules);

	failure_describe(f, wait_status, &block, modules, n);
}

/* Marks a failure of a custom mutator, which no input has caused. */
static void
examine_blame_mutator(struct fork_server *server, struct failure *f)
{
	struct failure_block block = server->worker->head->failure;

	/* Only with a custom mutator: otherwise a wild write into the block
	 * could hide the target's failure. */
	if (custom_has_mutator() || custom_has_crossover())
		failure_set_mutator(f, &block);
}

/* The last words are not in a file that is full. */
static void
examine_quote(struct fork_server *server, struct failure *f)
{
	size_t len = examine_read(server, server->worker->stderr_fd);

	if (len < FORK_SERVER_REPORT_MAX)
		failure_quote(f, server->report, len);
}

static void
examine_explain(struct fork_server *server, int wait_status, struct failure *f)
{
	struct failure_block *block = &server->worker->head->failure;
	struct failure_module modules[FAILURE_MODULES_MAX];
	struct failure report;

	/* The kind that a child has reported counts only if the child still
	 * lives. An exit is the exception. */
	if (block->kind != FAILURE_EXIT)
		block->kind = FAILURE_NONE;
	examine_describe(server, wait_status, f);
	if (f->kind != FAILURE_SIGNAL && f->kind != FAILURE_EXIT)
		return;
	report = *f;
	if (!examine_parse(server, &report)) {
		if (f->signo == SIGABRT)
			examine_quote(server, f);
		if (f->signo == SIGSEGV &&
			examine_is_beyond_input(server,
				server->worker->head->failure.address))
			(void)snprintf(f->text, sizeof(f->text),
				"segmentation fault (SIGSEGV) behind the end "
				"of the input");
		return;
	}
	failure_take_report(f, &report, modules,
		examine_modules(server, modules));
}

void
examine_death(struct fork_server *server, int wait_status, struct failure *f)
{
	examine_explain(server, wait_status, f);
	if (examine_is_blind(server, f)) {
		examine_suspect(FAILURE_PROTOCOL,
			"LeakSanitizer failed: this worker looks for leaks no "
			"more",
			f);
		return;
	}
	examine_blame_mutator(server, f);
}

void
examine_answer(struct fork_server *server, struct fork_server_result *result)
{
	struct failure *f = &result->failure;
	uint32_t end = result->outcome.end;

	if (end == CALL_FAILED) {
		examine_describe(server, 0, f);
		if (f->kind == FAILURE_EXIT)
			examine_suspect(FAILURE_PROTOCOL,
				"the child claims a failure without a kind", f);
		if (f->kind == FAILURE_LEAK)
			examine_describe_leak(server, f);
		examine_blame_mutator(server, f);
		return;
	}
	if (end == CALL_RUNNING || end > CALL_REFUSED) {
		examine_suspect(FAILURE_PROTOCOL,
			"the head of worker memory is damaged", f);
		result->outcome.end = CALL_FAILED;
		return;
	}
	/* The sanitizer has reported an error and let the target go on. */
	if (lseek(server->worker->report_fd, 0, SEEK_CUR) > 0 &&
		examine_parse(server, f))
		result->outcome.end = CALL_FAILED;
}

/* Is there output of a sanitizer, and room behind it for a report? */
static bool
examine_has_begun(const struct fork_server *server)
{
	off_t end = lseek(server->worker->report_fd, 0, SEEK_CUR);

	return end > 0 && end < (off_t)FORK_SERVER_REPORT_MAX / 2;
}

void
examine_prepare(const struct fork_server *server)
{
	struct worker_head *head = server->worker->head;
	bool is_new = server->pid == 0 && !server->worker->no_fork;

	/* A living child does this: it knows whether it is dying. */
	if (is_new)
		memset(&head->failure, 0, offsetof(struct failure_block, text));
	if (is_new || server->has_failed || !examine_has_begun(server))
		worker_rewind_output(server->worker);
}

/* Other processes may write there, too. LeakSanitizer lets the target go on. */
bool
examine_is_ending(struct fork_server *server)
{
	static const char *const starts[] = { "ERROR: AddressSanitizer: ",
		"ERROR: HWAddressSanitizer: ", "ERROR: MemorySanitizer: ",
		"WARNING: MemorySanitizer: ", "ERROR: ThreadSanitizer: ",
		"ERROR: UndefinedBehaviorSanitizer: " };
	size_t len = examine_read(server, server->worker->report_fd);
	char own[64];

	if (len == 0)
		return false;
	for (size_t i = 0; i < sizeof(starts) / sizeof(starts[0]); i++) {
		(void)snprintf(own, sizeof(own), "==%d==%s", (int)server->pid,
			starts[i]);
		if (memmem(server->report, len, own, strlen(own)) != NULL)
			return true;
	}
	(void)snprintf(own, sizeof(own), " (pid=%d)\n", (int)server->pid);
	return memmem(server->report, len, own, strlen(own)) != NULL;
}

/* Executions before the refused one count; the next call shows whether the
 * trouble lasts. An input sequence counts as a whole only. */
void
examine_refusal(struct fork_server *server, const struct call *call,
	uint64_t before, struct fork_server_result *result)
{
	uint64_t *count = &server->worker->head->count;
	int errnum = refusal_errnum(&result->outcome);
	uint64_t begun = __atomic_load_n(count, __ATOMIC_RELAXED);

	if (errnum == 0 || result->failure.kind != FAILURE_PROTOCOL)
		return;
	if (begun > before + 1 && call->kind != CALL_SEQUENCE) {
		result->outcome.end = CALL_LIMIT;
		__atomic_store_n(count, begun - 1, __ATOMIC_RELAXED);
	} else {
		result->outcome.end = CALL_REFUSED;
		server->refused = errnum;
		(void)snprintf(server->refusal, sizeof(server->refusal),
			"%.255s", result->failure.text);
		__atomic_store_n(count, before, __ATOMIC_RELAXED);
	}
	result->failure.kind = FAILURE_NONE;
}

void
examine_suspect(enum failure_kind kind, const char *text, struct failure *f)
{
	*f = (struct failure){ .kind = kind };
	(void)snprintf(f->what, sizeof(f->what), "%s", failure_kind_name(kind));
	(void)snprintf(f->text, sizeof(f->text), "%s", text);
}
