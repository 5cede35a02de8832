/* hot_pages: see hot_pages.h. */

#include "target/program/hot_pages.h"

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "shared/pages.h"
#include "shared/wire/failure.h"
#include "target/crash/crash.h"
#include "target/program/page_pins.h"

#define HOT_RANGES_MAX 256u
#define HOT_PAGES_MAX 16384u /* each is a mapping for a while */
/* Rounds of learning: the first runs are seeds, which use less. */
#define HOT_ROUNDS 2u
#define HOT_LEARN_RUNS 16u
/* The child maps pages again that it seldom uses. */
#define HOT_TRIM_RUNS 1024u
#define HOT_MAPS_SIZE (1u << 20)
#define HOT_ENTRIES 512u /* of the page map, read at once */

/* Bits of an entry of /proc/self/pagemap. */
#define HOT_PRESENT (1ull << 63)
#define HOT_OF_FILE (1ull << 61) /* no copy */
#define HOT_OWN (1ull << 56)     /* no other process has it */

enum hot_kind {
	/* Code and constants: private pages of a file. Code with breakpoints
	 * is writable. */
	HOT_CODE,
	HOT_DATA, /* private, writable */
	HOT_KINDS
};

struct hot_range {
	uintptr_t start;
	uint32_t pages, first; /* first: index into used */
	enum hot_kind kind;
	bool of_file;
};

struct hot_pages {
	size_t page;          /* bytes */
	uint32_t rounds;      /* that are over */
	bool ending;          /* a run does what we want at its end */
	bool handled;         /* the program takes SIGSYS, while ending */
	bool quiet;           /* no run is to do that any more */
	uint32_t runs, until; /* of this child; until: it learns; 0: not */
	uint32_t ranges_n, pages_n[HOT_KINDS];
	struct hot_range ranges[HOT_RANGES_MAX];
	/* In how many of the runs that were learned from. */
	uint8_t used[HOT_KINDS][HOT_PAGES_MAX];
};

typedef void hot_on_page(struct hot_pages *hot, const struct hot_range *range,
	uint32_t page);

static uint8_t *
hot_address(const struct hot_pages *hot, const struct hot_range *range,
	uint32_t page)
{
	return (uint8_t *)(range->start + page * hot->page);
}

/* ---- the mappings ------------------------------------------------------ */

/* A large mapping may be left out: its pages cost what they did before. */
static void
hot_add_range(struct hot_pages *hot, struct hot_range range, uintptr_t end)
{
	size_t pages = (end - range.start) / hot->page;
	uint32_t *n = &hot->pages_n[range.kind];

	if (hot->ranges_n == HOT_RANGES_MAX || pages > HOT_PAGES_MAX - *n)
		return;
	range.pages = (uint32_t)pages;
	range.first = *n;
	*n += range.pages;
	hot->ranges[hot->ranges_n++] = range;
}

/* "START-END PERMISSIONS OFFSET DEVICE INODE PATH"; the path may be missing. */
static void
hot_read_line(struct hot_pages *hot, const char *line)
{
	struct hot_range range = { .kind = HOT_CODE };
	unsigned long start, end;
	char permissions[5], path[2] = "";

	if (sscanf(line, "%lx-%lx %4s %*s %*s %*s %1s", &start, &end,
		    permissions, path) < 3 ||
		permissions[0] != 'r' || permissions[3] != 'p')
		return;
	range.start = start;
	range.of_file = path[0] == '/';
	if (permissions[1] == 'w' && !(permissions[2] == 'x' && range.of_file))
		range.kind = HOT_DATA;
	else if (!range.of_file)
		return;
	hot_add_range(hot, range, end);
}

static void
hot_read_lines(struct hot_pages *hot, char *text)
{
	int fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
	size_t len = 0;
	ssize_t n;
	char *end;

	if (fd < 0)
		return;
	while ((n = read(fd, text + len, HOT_MAPS_SIZE - 1 - len)) > 0)
		len += (size_t)n;
	close(fd);
	text[len] = '\0';
	for (; (end = strchr(text, '\n')) != NULL; text = end + 1) {
		*end = '\0';
		hot_read_line(hot, text);
	}
}

static void
hot_read_maps(struct hot_pages *hot)
{
	char *text = pages_map(HOT_MAPS_SIZE);

	if (text == NULL)
		return;
	hot_read_lines(hot, text);
	(void)munmap(text, HOT_MAPS_SIZE);
}

struct hot_pages *
hot_pages_open(void)
{
	struct hot_pages *hot = pages_map_shared(sizeof(*hot));

	if (hot != NULL)
		hot->page = (size_t)sysconf(_SC_PAGESIZE);
	return hot;
}

/* ---- the page map ------------------------------------------------------ */

/* Mapped, and of a file; or copied by a process that alone has the copy. */
static bool
hot_is_used(enum hot_kind kind, uint64_t entry)
{
	uint64_t mask = HOT_PRESENT | HOT_OF_FILE;

	if (kind == HOT_CODE)
		return (entry & mask) == mask;
	return (entry & (mask | HOT_OWN)) == (HOT_PRESENT | HOT_OWN);
}

static void
hot_visit_range(struct hot_pages *hot, const struct hot_range *range,
	hot_on_page *on_page, int fd)
{
	uint64_t entries[HOT_ENTRIES];
	uint32_t n;

	for (uint32_t at = 0; at < range->pages; at += n) {
		off_t offset = (off_t)((range->start / hot->page + at) *
			sizeof(entries[0]));

		n = range->pages - at < HOT_ENTRIES ? range->pages - at
						    : HOT_ENTRIES;
		if (pread(fd, entries, n * sizeof(entries[0]), offset) !=
			(ssize_t)(n * sizeof(entries[0])))
			return;
		for (uint32_t i = 0; i < n; i++)
			if (hot_is_used(range->kind, entries[i]))
				on_page(hot, range, at + i);
	}
}

/* Calls on_page for each page of these kinds that is in use. */
static void
hot_visit(struct hot_pages *hot, enum hot_kind last, hot_on_page *on_page)
{
	int fd = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);

	for (uint32_t i = 0; fd >= 0 && i < hot->ranges_n; i++)
		if (hot->ranges[i].kind <= last)
			hot_visit_range(hot, &hot->ranges[i], on_page, fd);
	if (fd >= 0)
		close(fd);
}

static uint8_t *
hot_uses(struct hot_pages *hot, const struct hot_range *range, uint32_t page)
{
	return &hot->used[range->kind][range->first + page];
}

static void
hot_note_page(struct hot_pages *hot, const struct hot_range *range,
	uint32_t page)
{
	++*hot_uses(hot, range, page);
}

static void
hot_unmap_page(struct hot_pages *hot, const struct hot_range *range,
	uint32_t page)
{
	(void)madvise(hot_address(hot, range, page), hot->page, MADV_DONTNEED);
}

static void
hot_trim(struct hot_pages *hot)
{
	hot_visit(hot, HOT_CODE, hot_unmap_page);
}

/* ---- learning ---------------------------------------------------------- */

/* Neighbours with different advice are different mappings. */
static void
hot_split(const struct hot_pages *hot)
{
	for (uint32_t i = 0; i < hot->ranges_n; i++)
		for (uint32_t page = 1; hot->ranges[i].kind == HOT_CODE &&
			page < hot->ranges[i].pages;
			page += 2)
			(void)madvise(hot_address(hot, &hot->ranges[i], page),
				hot->page, MADV_RANDOM);
}

static void
hot_join(const struct hot_pages *hot)
{
	for (uint32_t i = 0; i < hot->ranges_n; i++)
		if (hot->ranges[i].kind == HOT_CODE)
			(void)madvise((void *)hot->ranges[i].start,
				hot->ranges[i].pages * hot->page, MADV_NORMAL);
}

/*
 * Writing a byte makes a copy of its page. No pwrite(): AddressSanitizer's would
 * report a page that begins between two variables.
 */
static void
hot_copy_range(struct hot_pages *hot, const struct hot_range *range, int fd)
{
	for (uint32_t page = 0; page < range->pages; page++) {
		uint8_t *at = hot_address(hot, range, page);

		if (*hot_uses(hot, range, page) != 0 &&
			syscall(SYS_pwrite64, fd, at, 1,
				(off_t)(uintptr_t)at) != 1)
			return;
	}
}

static void
hot_copy_used(struct hot_pages *hot)
{
	int fd = open("/proc/self/mem", O_RDWR | O_CLOEXEC);

	for (uint32_t i = 0; fd >= 0 && i < hot->ranges_n; i++)
		if (hot->ranges[i].kind == HOT_CODE)
			hot_copy_range(hot, &hot->ranges[i], fd);
	if (fd >= 0)
		close(fd);
}

/* Adds the pages that most runs write; returns the new number of ranges. */
static uint32_t
hot_add_pins(struct hot_pages *hot, const struct hot_range *range,
	struct iovec *pins, uint32_t n)
{
	bool more = false;

	for (uint32_t page = 0; page < range->pages; page++) {
		bool often = *hot_uses(hot, range, page) > HOT_LEARN_RUNS / 2;

		if (often && more)
			pins[n - 1].iov_len += hot->page;
		else if (often && n == PAGE_PINS_MAX)
			return n;
		else if (often)
			pins[n++] =
				(struct iovec){ hot_address(hot, range, page),
					hot->page };
		more = often;
	}
	return n;
}

/* Older kernels do not pin pages of files, not even the copies of them. */
static bool
hot_pin(struct hot_pages *hot, bool files)
{
	struct iovec pins[PAGE_PINS_MAX];
	uint32_t n = 0;

	for (uint32_t i = 0; i < hot->ranges_n; i++)
		if (hot->ranges[i].kind == HOT_DATA &&
			(files || !hot->ranges[i].of_file))
			n = hot_add_pins(hot, &hot->ranges[i], pins, n);
	return n == 0 || page_pins_set(pins, n);
}

static void
hot_settle(struct hot_pages *hot)
{
	hot->until = 0;
	hot_copy_used(hot);
	hot_trim(hot);
	if (!hot_pin(hot, true))
		(void)hot_pin(hot, false);
}

static void
hot_learn(struct hot_pages *hot)
{
	hot->until = hot->runs + HOT_LEARN_RUNS;
	hot_split(hot);
	hot_trim(hot);
}

static void
hot_end_round(struct hot_pages *hot)
{
	/* The child's own pages are mapped in a run anyway. */
	hot_visit(hot, HOT_CODE, hot_note_page);
	hot->rounds++;
	hot_join(hot);
	hot_settle(hot);
}

bool
hot_pages_on_child(struct hot_pages *hot)
{
	if (hot == NULL)
		return false;
	hot->runs = 0;
	if (hot->rounds > 0) {
		hot_settle(hot);
		return false;
	}
	hot->ranges_n = 0;
	memset(hot->pages_n, 0, sizeof(hot->pages_n));
	memset(hot->used, 0, sizeof(hot->used));
	hot_read_maps(hot);
	hot_learn(hot);
	return !hot->quiet;
}

/* Does the program take SIGSYS? */
static bool
hot_is_handled(void)
{
	struct sigaction action;

	if (sigaction(SIGSYS, NULL, &action) != 0)
		return true;
	return (action.sa_flags & SA_SIGINFO)
		? !crash_is_handler(&action)
		: action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN;
}

void
hot_pages_set_ending(struct hot_pages *hot, bool ending)
{
	if (hot == NULL)
		return;
	/* A sandbox may forbid the question, too. */
	hot->handled = true;
	hot->ending = ending;
	if (ending)
		hot->handled = hot_is_handled();
}

void
hot_pages_on_end(struct hot_pages *hot)
{
	if (hot == NULL)
		return;
	hot_pages_set_ending(hot, true);
	hot_visit(hot, HOT_DATA, hot_note_page);
	hot_pages_set_ending(hot, false);
}

/*
 * Did another thread of the program crash? Not if a sandbox has ended the run, by
 * SIGSYS, or by a crash of the program's own handler of SIGSYS.
 */
static bool
hot_is_crash(const struct hot_pages *hot, int status)
{
	return WIFSIGNALED(status) && WTERMSIG(status) != SIGSYS &&
		!hot->handled && failure_is_crash_signal(WTERMSIG(status));
}

bool
hot_pages_was_ended(struct hot_pages *hot, int status)
{
	if (hot == NULL || !hot->ending)
		return false;
	hot->ending = false;
	if (hot_is_crash(hot, status))
		return false;
	hot->quiet = true;
	return true;
}

bool
hot_pages_on_run(struct hot_pages *hot)
{
	if (hot == NULL)
		return false;
	hot->runs++;
	if (hot->until != 0 && hot->runs == hot->until)
		hot_end_round(hot);
	else if (hot->runs % HOT_TRIM_RUNS == 0 && hot->rounds < HOT_ROUNDS)
		hot_learn(hot);
	else if (hot->runs % HOT_TRIM_RUNS == 0)
		hot_trim(hot);
	return hot->until != 0 && !hot->quiet;
}
