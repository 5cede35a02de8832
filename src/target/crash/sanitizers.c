/* sanitizers: see sanitizers.h. */

#include "target/crash/sanitizers.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "shared/pages.h"
#include "shared/wire/failure.h"
#include "target/abi.h"

#define SANITIZERS_REPORT_MAX ((off_t)(256u << 10)) /* bytes that are read */

/* clang-format off */
ABI_WEAK void __asan_init(void);
ABI_WEAK void __msan_init(void);
ABI_WEAK void __tsan_init(void);
ABI_WEAK void __lsan_init(void);
ABI_WEAK void __ubsan_handle_builtin_unreachable(void *data);
ABI_WEAK void __asan_poison_memory_region(const volatile void *at, size_t len);
ABI_WEAK void __asan_unpoison_memory_region(const volatile void *at, size_t len);
ABI_WEAK void __msan_scoped_disable_interceptor_checks(void);
ABI_WEAK void __msan_scoped_enable_interceptor_checks(void);
ABI_WEAK void __msan_unpoison(const volatile void *at, size_t len);
ABI_WEAK void __msan_unpoison_param(size_t n);
ABI_WEAK void __sanitizer_set_report_fd(void *fd);
ABI_WEAK void __sanitizer_print_stack_trace(void);
ABI_WEAK void __sanitizer_set_death_callback(void (*on_death)(void));
ABI_WEAK int __sanitizer_install_malloc_and_free_hooks(
	void (*on_malloc)(const volatile void *at, size_t len),
	void (*on_free)(const volatile void *at));
ABI_WEAK void __lsan_disable(void);
ABI_WEAK void __lsan_enable(void);
ABI_WEAK int __lsan_do_recoverable_leak_check(void);
/* clang-format on */

const char *
sanitizers_name(void)
{
	if (__asan_init != NULL)
		return "address";
	if (__msan_init != NULL)
		return "memory";
	if (__tsan_init != NULL)
		return "thread";
	if (__lsan_init != NULL)
		return "leak";
	if (__ubsan_handle_builtin_unreachable != NULL)
		return "undefined";
	return "";
}

void
sanitizers_begin(void)
{
	if (__msan_init != NULL)
		__msan_init();
}

int
sanitizers_threads(void)
{
	return __tsan_init != NULL ? 1 : 0;
}

bool
sanitizers_set_report_fd(int fd)
{
	if (__sanitizer_set_report_fd == NULL)
		return false;
	__sanitizer_set_report_fd((void *)(intptr_t)fd);
	return true;
}

bool
sanitizers_have_reported(int fd)
{
	off_t end = lseek(fd, 0, SEEK_CUR);
	size_t size =
		(size_t)(end < SANITIZERS_REPORT_MAX ? end
						     : SANITIZERS_REPORT_MAX);
	struct failure failure = { .kind = FAILURE_NONE };
	bool found = false;
	char *report;
	ssize_t n;

	if (end <= 0)
		return false;
	report = pages_map(size);
	if (report == NULL)
		return false;
	sanitizers_hide();
	/* It is what such a program writes last. */
	n = pread(fd, report, size, end - (off_t)size);
	if (n > 0)
		found = failure_parse_report(&failure, report, (size_t)n);
	sanitizers_show();
	(void)munmap(report, size);
	return found;
}

void
sanitizers_rehearse(void)
{
	int nowhere_fd;

	if (__sanitizer_set_report_fd == NULL ||
		__sanitizer_print_stack_trace == NULL)
		return;
	nowhere_fd = open("/dev/null", O_WRONLY | O_CLOEXEC);
	if (nowhere_fd < 0)
		return;
	(void)sanitizers_set_report_fd(nowhere_fd);
	__sanitizer_print_stack_trace();
	(void)sanitizers_set_report_fd(STDERR_FILENO);
	close(nowhere_fd);
}

/* Global, because a death callback takes no argument. */
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
static bool sanitizers_end;

static void
sanitizers_on_death(void)
{
	__atomic_store_n(&sanitizers_end, true, __ATOMIC_SEQ_CST);
}

void
sanitizers_watch_end(void)
{
	if (__tsan_init != NULL && __sanitizer_set_death_callback != NULL)
		__sanitizer_set_death_callback(sanitizers_on_death);
}

bool
sanitizers_hold_locks(void)
{
	return __atomic_load_n(&sanitizers_end, __ATOMIC_SEQ_CST);
}

bool
sanitizers_can_poison(void)
{
	return __asan_poison_memory_region != NULL &&
		__asan_unpoison_memory_region != NULL;
}

void
sanitizers_poison(const void *start, size_t len)
{
	__asan_poison_memory_region(start, len);
}

void
sanitizers_unpoison(const void *start, size_t len)
{
	__asan_unpoison_memory_region(start, len);
}

bool
sanitizers_want_alignment(void)
{
	return sanitizers_can_poison() ||
		__ubsan_handle_builtin_unreachable != NULL;
}

bool
sanitizers_track_bytes(void)
{
	return __msan_unpoison != NULL;
}

bool
sanitizers_can_find_leaks(void)
{
	return __lsan_disable != NULL && __lsan_enable != NULL &&
		__lsan_do_recoverable_leak_check != NULL &&
		__sanitizer_install_malloc_and_free_hooks != NULL;
}

void
sanitizers_watch_leaks(bool watch)
{
	if (!sanitizers_can_find_leaks())
		return;
	if (watch)
		__lsan_enable();
	else
		__lsan_disable();
}

bool
sanitizers_find_leaks(void)
{
	return __lsan_do_recoverable_leak_check() != 0;
}

void
sanitizers_count(void (*on_malloc)(const volatile void *at, size_t len),
	void (*on_free)(const volatile void *at))
{
	(void)__sanitizer_install_malloc_and_free_hooks(on_malloc, on_free);
}

void
sanitizers_hide(void)
{
	if (__msan_scoped_disable_interceptor_checks != NULL)
		__msan_scoped_disable_interceptor_checks();
}

void
sanitizers_show(void)
{
	if (__msan_scoped_enable_interceptor_checks != NULL)
		__msan_scoped_enable_interceptor_checks();
}

void
sanitizers_pass(const uint8_t *data, size_t len, size_t n)
{
	if (__msan_unpoison == NULL)
		return;
	__msan_unpoison(data, len);
	if (__msan_unpoison_param != NULL)
		__msan_unpoison_param(n);
}

void
sanitizers_input(const uint8_t *data, size_t len)
{
	sanitizers_pass(data, len, 2);
}
