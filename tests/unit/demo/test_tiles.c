/*
 * test_tiles: the demonstration target: pictures that it reads, pictures that
 * it refuses, and its three bugs.
 *
 * Each block of memory ends where a page without access begins, and a freed
 * block has no access: every bug is a SIGSEGV.
 *
 * FLAGS: -Wl,--wrap=malloc,--wrap=calloc,--wrap=free
 */
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/check.h"

#define PAGE 4096u
#define BLOCKS_MAX 32u
#define SIDES "\x04\x03" /* of the picture */
#define PALETTE "P\x06rgbRGB"
#define TILE "T\x08" SIDES "\x02\x03\x02\x01\x00\x00"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void __wrap_free(void *p);
void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void __real_free(void *p);

struct blocks {
	bool on;       /* the target is running */
	size_t n;      /* blocks so far */
	size_t freed;  /* of these */
	size_t refuse; /* this one is refused, counted from 1; 0: none */
	struct {
		void *start, *page;
	} of[BLOCKS_MAX];
};

static struct blocks *
blocks(void)
{
	static struct blocks all;

	return &all;
}

static void *
block_new(size_t size)
{
	struct blocks *b = blocks();
	char *page;

	if (size > PAGE || b->n == BLOCKS_MAX)
		abort();
	if (b->n + 1 == b->refuse)
		return NULL;
	page = mmap(NULL, 2 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
		0);
	if (page == MAP_FAILED || mprotect(page, PAGE, PROT_READ | PROT_WRITE))
		abort();
	b->of[b->n].page = page;
	return b->of[b->n++].start = page + PAGE - size;
}

void *
__wrap_malloc(size_t size)
{
	return blocks()->on ? block_new(size) : __real_malloc(size);
}

void *
__wrap_calloc(size_t n, size_t size)
{
	return blocks()->on ? block_new(n * size) : __real_calloc(n, size);
}

void
__wrap_free(void *p)
{
	struct blocks *b = blocks();

	for (size_t i = 0; b->on && i < b->n; i++)
		if (b->of[i].start == p) {
			b->freed++;
			if (mprotect(b->of[i].page, PAGE, PROT_NONE) != 0)
				abort();
			return;
		}
	if (!b->on)
		__real_free(p);
}

/* clang-format off */
#define PICTURE(bytes) bytes, sizeof(bytes) - 1
static const struct picture_row {
	const char *name, *bytes;
	size_t len, blocks, refuse;
	bool bug;
} PICTURES[] = {
	{ "nothing", PICTURE(""), 0, 0, false },
	{ "one letter", PICTURE("T"), 0, 0, false },
	{ "two letters", PICTURE("TI"), 0, 0, false },
	{ "other letters", PICTURE("TIXE" SIDES), 0, 0, false },
	{ "no sides", PICTURE("TILE"), 0, 0, false },
	{ "no width", PICTURE("TILE\x00\x03" PALETTE TILE), 0, 0, false },
	{ "no chunks", PICTURE("TILE" SIDES), 0, 0, false },
	{ "another chunk", PICTURE("TILE" SIDES "X\x01-" PALETTE TILE), 2, 0,
		false },
	{ "a chunk too long", PICTURE("TILE" SIDES "P\x09rgb"), 0, 0, false },
	{ "a tile", PICTURE("TILE" SIDES PALETTE TILE), 2, 0, false },
	{ "no palette", PICTURE("TILE" SIDES TILE), 0, 0, false },
	{ "no runs", PICTURE("TILE" SIDES PALETTE "T\x04" SIDES "\x02\x03"), 2,
		0, false },
	{ "no colour", PICTURE("TILE" SIDES PALETTE
		"T\x06" SIDES "\x02\x03\x02\x09"), 2, 0, false },
	{ "a tile too wide", PICTURE("TILE" SIDES PALETTE
		"T\x04" SIDES "\x21\x03"), 1, 0, false },
	{ "nine tiles", PICTURE("TILE" SIDES PALETTE TILE TILE TILE TILE TILE
		TILE TILE TILE TILE), 16, 0, false },
	{ "no memory for a tile", PICTURE("TILE" SIDES PALETTE TILE), 0, 1,
		false },
	{ "delete", PICTURE("TILE" SIDES PALETTE TILE "D\x01\x00"), 2, 0,
		false },
	{ "delete twice", PICTURE("TILE" SIDES PALETTE TILE
		"D\x01\x00" "D\x01\x00"), 2, 0, false },
	{ "delete none", PICTURE("TILE" SIDES PALETTE TILE "D\x01\x01"), 2, 0,
		false },
	{ "move", PICTURE("TILE" SIDES PALETTE TILE "M\x04\x00\x01\x00\x09"), 2,
		0, false },
	{ "move none", PICTURE("TILE" SIDES PALETTE TILE "M\x02\x07\x01"), 2, 0,
		false },
	{ "a comment", PICTURE("TILE" SIDES "C\x03hi."), 1, 0, false },
	{ "an empty comment", PICTURE("TILE" SIDES "C\x00"), 0, 0, false },
	{ "no memory for a comment", PICTURE("TILE" SIDES "C\x03hi."), 0, 1,
		false },
	{ "bug 1", PICTURE("TILE" SIDES "C\x02hi"), 0, 0, true },
	{ "bug 2", PICTURE("TILE" SIDES PALETTE
		"T\x06" SIDES "\x02\x03\x07\x01"), 0, 0, true },
	{ "bug 3", PICTURE("TILE" SIDES PALETTE TILE
		"D\x01\x00" "M\x02\x00\x01"), 0, 0, true },
};
/* clang-format on */

/* In the child: the exit status says whether all blocks are as expected. */
static void __attribute__((noreturn))
picture_read(const struct picture_row *row)
{
	struct blocks *b = blocks();

	signal(SIGSEGV, SIG_DFL);
	b->refuse = row->refuse;
	b->on = true;
	LLVMFuzzerTestOneInput((const uint8_t *)row->bytes, row->len);
	b->on = false;
	_exit(b->n == row->blocks && b->freed == row->blocks ? 0 : 2);
}

static void
test_pictures(void **state)
{
	for (size_t i = 0; i < ROWS(PICTURES); i++) {
		const struct picture_row *row = &PICTURES[i];
		pid_t pid = fork();
		int status;

		if (pid == 0)
			picture_read(row);
		assert_int_equal(waitpid(pid, &status, 0), pid);
		check(row->bug ? WIFSIGNALED(status) &&
					WTERMSIG(status) == SIGSEGV
			       : status == 0,
			"%s: %x", row->name, (unsigned)status);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pictures),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
