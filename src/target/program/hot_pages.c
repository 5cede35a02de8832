/* hot_pages: see hot_pages.h. */

#include "target/program/hot_pages.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define HOT_RANGES_MAX 256u
#define HOT_PAGES_MAX 16384u /* each is a mapping for a while */
#define HOT_LEARN_RUNS 16u
/* The child maps pages again that it seldom uses. */
#define HOT_TRIM_RUNS 1024u
#define HOT_MAPS_SIZE (1u << 20)
#define HOT_ENTRIES 512u /* of the page map, read at once */

/* Bits of an entry of /proc/self/pagemap. */
#define HOT_PRESENT (1ull << 63)
#define HOT_OF_FILE (1ull << 61) /* no copy */

struct hot_range {
	uintptr_t start;
	uint32_t pages, first; /* first: index into used */
};

struct hot_pages {
	size_t page; /* bytes */
	bool learned;
	uint32_t runs; /* of this child */
	uint32_t ranges_n, pages_n;
	struct hot_range ranges[HOT_RANGES_MAX];
	uint8_t used[HOT_PAGES_MAX];
};

typedef void hot_on_page(struct hot_pages *hot, const struct hot_range *range,
	uint32_t page, int fd);

static uint8_t *
hot_address(const struct hot_pages *hot, const struct hot_range *range,
	uint32_t page)
{
	return (uint8_t *)(range->start + page * hot->page);
}

/* ---- the mappings ------------------------------------------------------ */

/* A large mapping may be left out: its pages cost what they did before. */
static void
hot_add_range(struct hot_pages *hot, uintptr_t start, uintptr_t end)
{
	size_t pages = (end - start) / hot->page;

	if (hot->ranges_n == HOT_RANGES_MAX ||
		pages > HOT_PAGES_MAX - hot->pages_n)
		return;
	hot->ranges[hot->ranges_n++] = (struct hot_range){ .start = start,
		.pages = (uint32_t)pages,
		.first = hot->pages_n };
	hot->pages_n += (uint32_t)pages;
}

/* "START-END PERMISSIONS OFFSET DEVICE INODE PATH": private files, read-only. */
static void
hot_read_line(struct hot_pages *hot, const char *line)
{
	unsigned long start, end;
	char permissions[5], path[2];

	if (sscanf(line, "%lx-%lx %4s %*s %*s %*s %1s", &start, &end,
		    permissions, path) == 4 &&
		permissions[0] == 'r' && permissions[1] == '-' &&
		permissions[3] == 'p' && path[0] == '/')
		hot_add_range(hot, start, end);
}

static void
hot_read_maps(struct hot_pages *hot, char *text)
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

static void *
hot_map(size_t size, int flags)
{
	void *map = mmap(NULL, size, PROT_READ | PROT_WRITE,
		flags | MAP_ANONYMOUS, -1, 0);

	return map == MAP_FAILED ? NULL : map;
}

struct hot_pages *
hot_pages_open(void)
{
	struct hot_pages *hot = hot_map(sizeof(*hot), MAP_SHARED);
	char *text = hot_map(HOT_MAPS_SIZE, MAP_PRIVATE);

	if (hot != NULL && text != NULL) {
		hot->page = (size_t)sysconf(_SC_PAGESIZE);
		hot_read_maps(hot, text);
	}
	if (text != NULL)
		(void)munmap(text, HOT_MAPS_SIZE);
	return hot;
}

/* ---- the page map ------------------------------------------------------ */

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
			if ((entries[i] & HOT_PRESENT) &&
				(entries[i] & HOT_OF_FILE))
				on_page(hot, range, at + i, fd);
	}
}

/* Calls on_page for each page that is mapped and is no copy. */
static void
hot_visit(struct hot_pages *hot, hot_on_page *on_page)
{
	int fd = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);

	for (uint32_t i = 0; fd >= 0 && i < hot->ranges_n; i++)
		hot_visit_range(hot, &hot->ranges[i], on_page, fd);
	if (fd >= 0)
		close(fd);
}

static void
hot_note_page(struct hot_pages *hot, const struct hot_range *range,
	uint32_t page, int fd)
{
	(void)fd;
	hot->used[range->first + page] = 1;
}

static void
hot_unmap_page(struct hot_pages *hot, const struct hot_range *range,
	uint32_t page, int fd)
{
	(void)fd;
	(void)madvise(hot_address(hot, range, page), hot->page, MADV_DONTNEED);
}

/* ---- learning ---------------------------------------------------------- */

/* Neighbours with different advice are different mappings. */
static void
hot_split(const struct hot_pages *hot)
{
	for (uint32_t i = 0; i < hot->ranges_n; i++)
		for (uint32_t page = 1; page < hot->ranges[i].pages; page += 2)
			(void)madvise(hot_address(hot, &hot->ranges[i], page),
				hot->page, MADV_RANDOM);
}

static void
hot_join(const struct hot_pages *hot)
{
	for (uint32_t i = 0; i < hot->ranges_n; i++)
		(void)madvise((void *)hot->ranges[i].start,
			hot->ranges[i].pages * hot->page, MADV_NORMAL);
}

/* Writing a byte makes a copy of its page. */
static void
hot_copy_used(const struct hot_pages *hot)
{
	int fd = open("/proc/self/mem", O_RDWR | O_CLOEXEC);

	for (uint32_t i = 0; fd >= 0 && i < hot->ranges_n; i++) {
		const struct hot_range *range = &hot->ranges[i];

		for (uint32_t page = 0; page < range->pages; page++) {
			uint8_t *at = hot_address(hot, range, page);

			if (hot->used[range->first + page] &&
				pwrite(fd, at, 1, (off_t)(uintptr_t)at) != 1)
				break;
		}
	}
	if (fd >= 0)
		close(fd);
}

static void
hot_settle(struct hot_pages *hot)
{
	hot_copy_used(hot);
	hot_visit(hot, hot_unmap_page);
}

void
hot_pages_on_child(struct hot_pages *hot)
{
	if (hot == NULL)
		return;
	hot->runs = 0;
	if (hot->learned) {
		hot_settle(hot);
		return;
	}
	hot_split(hot);
	hot_visit(hot, hot_unmap_page);
}

void
hot_pages_on_end(struct hot_pages *hot)
{
	if (hot != NULL && !hot->learned)
		hot_visit(hot, hot_note_page);
}

void
hot_pages_on_run(struct hot_pages *hot)
{
	if (hot == NULL)
		return;
	hot->runs++;
	if (hot->learned) {
		if (hot->runs % HOT_TRIM_RUNS == 0)
			hot_visit(hot, hot_unmap_page);
	} else if (hot->runs == HOT_LEARN_RUNS) {
		/* The child's own pages are mapped in a run anyway. */
		hot_visit(hot, hot_note_page);
		hot->learned = true;
		hot_join(hot);
		hot_settle(hot);
	}
}
