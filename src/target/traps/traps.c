/* traps: see traps.h. */

#include "target/traps/traps.h"

#include <errno.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

#include "shared/pages.h"
#include "shared/search.h"
#include "target/hooks/counters.h"
#include "target/hooks/functions.h"
#include "target/traps/instruction.h"
#include "target/traps/text_blocks.h"

#define TRAPS_TEXTS_MAX 64
#define TRAPS_PAGE 4096u
#define TRAPS_BIT 64u /* blocks of counters in a word of touched bits */

/* One executable segment. */
struct trap_text {
	uint8_t *start;
	size_t size;
	uint32_t *offsets; /* of the blocks, ascending */
	uint8_t *bytes;    /* the program's byte of each block */
	uint8_t *counters;
	uint64_t *touched; /* see target/hooks/counters.h */
	uint32_t *removed; /* blocks without a breakpoint in this process */
	uint32_t n, removed_n;
};

/* Global, because a signal handler takes no argument. */
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
static struct traps {
	struct trap_text texts[TRAPS_TEXTS_MAX];
	uint32_t n, blocks_n;
	bool set;
	struct sigaction program; /* the program's own for SIGTRAP */
} traps;

/* ---- the blocks ---- */

/* Libraries whose code says nothing about the program's input. */
static bool
traps_is_system(const char *path)
{
	static const char *const NAMES[] = { "ld-linux", "libc.so", "libm.so",
		"libmvec.so", "libpthread.so", "libdl.so", "librt.so",
		"libgcc_s.so", "libstdc++.so", "libc++", "libasan.so",
		"libubsan.so", "liblsan.so", "libtsan.so", "linux-vdso.so" };
	const char *slash = strrchr(path, '/');
	const char *name = slash != NULL ? slash + 1 : path;

	for (size_t i = 0; i < sizeof(NAMES) / sizeof(NAMES[0]); i++)
		if (strncmp(name, NAMES[i], strlen(NAMES[i])) == 0)
			return true;
	return false;
}

static bool
traps_allocate(struct trap_text *t)
{
	size_t groups = t->n / COUNTERS_BLOCK + 1;

	t->bytes = pages_map_shared(t->n);
	t->counters = pages_map_shared(t->n);
	t->touched = pages_map_shared(
		(groups / TRAPS_BIT + 1) * sizeof(*t->touched));
	t->removed = pages_map(t->n * sizeof(*t->removed));
	return t->bytes != NULL && t->counters != NULL && t->touched != NULL &&
		t->removed != NULL;
}

static void
traps_register(struct trap_text *t)
{
	struct counters *counters = counters_get();
	uint32_t before = counters->n;

	counters_add(COUNTERS_BREAKPOINT, t->counters, t->n, t->start);
	if (counters->n > before) {
		counters->regions[before].touched = t->touched;
		counters->regions[before].offsets = t->offsets;
	}
}

static void
traps_add_text(const struct text *text)
{
	struct trap_text *t = &traps.texts[traps.n];
	struct text_blocks blocks;

	if (traps.n == TRAPS_TEXTS_MAX || !text_blocks_find(text, &blocks) ||
		blocks.n == 0)
		return;
	*t = (struct trap_text){ .start = (uint8_t *)(uintptr_t)text->start,
		.size = text->size,
		.offsets = blocks.offsets,
		.n = blocks.n };
	if (!traps_allocate(t))
		return;
	for (uint32_t i = 0; i < t->n; i++)
		t->bytes[i] = t->start[t->offsets[i]];
	traps_register(t);
	traps.blocks_n += t->n;
	traps.n++;
}

static void
traps_read_segments(const struct dl_phdr_info *info, struct text *text,
	struct text_range *unwind)
{
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		uintptr_t at = info->dlpi_addr + p->p_vaddr;

		if (p->p_type == PT_GNU_EH_FRAME)
			*unwind = (struct text_range){ at, at + p->p_memsz };
		if (p->p_type != PT_LOAD || !(p->p_flags & PF_R))
			continue;
		if (text->readable_n < TEXT_RANGES_MAX)
			text->readable[text->readable_n++] =
				(struct text_range){ at, at + p->p_memsz };
		/* Code that is writable may change itself. */
		if ((p->p_flags & PF_X) && !(p->p_flags & PF_W) &&
			text->size == 0) {
			text->start = (const uint8_t *)at;
			text->size = p->p_memsz;
		}
	}
}

/* The handler must not meet a breakpoint itself. */
static bool
traps_is_own(const struct text *text)
{
	uintptr_t own = (uintptr_t)traps_is_own;

	return own - (uintptr_t)text->start < text->size;
}

static int
traps_on_module(struct dl_phdr_info *info, size_t size, void *arg)
{
	struct text text = { .size = 0 };
	struct text_range unwind = { 0, 0 };
	struct functions functions;

	if (traps_is_system(info->dlpi_name))
		return 0;
	traps_read_segments(info, &text, &unwind);
	if (traps_is_own(&text))
		return 0;
	for (uint32_t i = 0; unwind.start != 0 && i < text.readable_n; i++) {
		const struct text_range *range = &text.readable[i];

		if (unwind.start < range->start || unwind.start >= range->end)
			continue;
		text.functions = &functions;
		if (functions_open(&functions, (const uint8_t *)unwind.start,
			    unwind.end - unwind.start, range->start,
			    range->end))
			traps_add_text(&text);
		break;
	}
	return 0;
}

uint32_t
traps_find(void)
{
	if (instruction_is_known())
		(void)dl_iterate_phdr(traps_on_module, NULL);
	return traps.blocks_n;
}

bool
traps_exist(void)
{
	return traps.set;
}

/* ---- breakpoints ---- */

/*
 * It stays writable. A program may forbid itself later to change the rights of
 * its code, and two system calls for each block would cost more than the rest.
 */
static bool
traps_make_writable(const struct trap_text *t)
{
	uintptr_t from = (uintptr_t)t->start & ~(uintptr_t)(TRAPS_PAGE - 1);

	return mprotect((void *)from, (uintptr_t)t->start + t->size - from,
		       PROT_READ | PROT_WRITE | PROT_EXEC) == 0;
}

static void
traps_put(uint8_t *code, uint8_t byte)
{
	__atomic_store_n(code, byte, __ATOMIC_RELAXED);
}

static void
traps_remove(struct trap_text *t, uint32_t i)
{
	uint8_t *code = t->start + t->offsets[i];

	if (*code != INSTRUCTION_BREAK)
		return;
	traps_put(code, t->bytes[i]);
	t->removed[t->removed_n++] = i;
}

static void
traps_put_back(struct trap_text *t)
{
	while (t->removed_n > 0)
		traps_put(t->start + t->offsets[t->removed[--t->removed_n]],
			INSTRUCTION_BREAK);
}

static void
traps_on_signal(int signo, siginfo_t *info, void *context)
{
	if (traps_take(signo, info, context))
		return;
	(void)signal(signo, SIG_DFL);
	(void)raise(signo);
}

bool
traps_set(void)
{
	struct sigaction action = { .sa_sigaction = traps_on_signal,
		.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER };

	if (sigaction(SIGTRAP, &action, &traps.program) != 0)
		return false;
	for (uint32_t k = 0; k < traps.n; k++)
		if (!traps_make_writable(&traps.texts[k]))
			return false;
	for (uint32_t k = 0; k < traps.n; k++) {
		struct trap_text *t = &traps.texts[k];

		for (uint32_t i = 0; i < t->n; i++)
			traps_put(t->start + t->offsets[i], INSTRUCTION_BREAK);
	}
	traps.set = traps.n > 0;
	return true;
}

/* The place of the text's counters in the coverage map; NULL: none yet. */
static const struct counter_region *
traps_region(const struct trap_text *t)
{
	const struct counters *counters = counters_get();

	for (uint32_t i = 0; i < counters->n; i++)
		if (counters->regions[i].start == t->counters)
			return counters->regions[i].assigned
				? &counters->regions[i]
				: NULL;
	return NULL;
}

/* The word is the part of the map for the blocks from i on. */
static void
traps_remove_word(struct trap_text *t, uint32_t i, uint64_t word)
{
	for (; word != 0; word &= word - 1)
		traps_remove(t, i + (uint32_t)__builtin_ctzll(word) / 8);
}

static void
traps_remove_known(struct trap_text *t, const uint8_t *map)
{
	uint64_t word;
	uint32_t i = 0;

	for (; t->n - i >= sizeof(word); i += sizeof(word)) {
		memcpy(&word, map + i, sizeof(word));
		traps_remove_word(t, i, word);
	}
	word = 0;
	memcpy(&word, map + i, t->n - i);
	traps_remove_word(t, i, word);
}

void
traps_choose(const uint8_t *map)
{
	for (uint32_t k = 0; traps.set && k < traps.n; k++) {
		struct trap_text *t = &traps.texts[k];
		const struct counter_region *region = traps_region(t);

		if ((region == NULL || map == NULL) && t->removed_n == 0)
			continue;
		traps_put_back(t);
		if (region != NULL && map != NULL)
			traps_remove_known(t, map + region->base);
	}
}

void
traps_renew(const struct feature *features, uint32_t n)
{
	for (uint32_t k = 0; traps.set && n > 0 && k < traps.n; k++) {
		struct trap_text *t = &traps.texts[k];
		const struct counter_region *region = traps_region(t);

		if (region == NULL)
			continue;
		for (uint32_t i = 0; i < n; i++) {
			uint32_t at = features[i].counter - region->base;

			if (features[i].counter >= region->base && at < t->n)
				traps_put(t->start + t->offsets[at],
					INSTRUCTION_BREAK);
		}
	}
}

/* ---- the handler ---- */

#if defined(__x86_64__)

static bool
traps_find_block(uintptr_t code, struct trap_text **text, uint32_t *block)
{
	for (uint32_t k = 0; k < traps.n; k++) {
		struct trap_text *t = &traps.texts[k];
		uintptr_t offset = code - (uintptr_t)t->start;
		uint32_t i;

		if (offset >= t->size)
			continue;
		SEARCH_FIRST(i, t->n, t->offsets[i] < offset);
		*text = t;
		*block = i;
		return i < t->n && t->offsets[i] == offset;
	}
	return false;
}

static void
traps_hit(struct trap_text *t, uint32_t i)
{
	uint32_t group = i / COUNTERS_BLOCK;

	__atomic_store_n(&t->counters[i], 1, __ATOMIC_RELAXED);
	(void)__atomic_fetch_or(&t->touched[group / TRAPS_BIT],
		(uint64_t)1 << group % TRAPS_BIT, __ATOMIC_RELAXED);
	traps_put(t->start + t->offsets[i], t->bytes[i]);
}

#endif

/* A breakpoint of the program's own, or a signal that was sent. */
static bool
traps_pass_on(int signo, siginfo_t *info, void *context)
{
	const struct sigaction *action = &traps.program;

	if (action->sa_flags & SA_SIGINFO) {
		action->sa_sigaction(signo, info, context);
		return true;
	}
	if (action->sa_handler == SIG_DFL)
		return false;
	/* A breakpoint ends the process even if its signal is ignored. */
	if (action->sa_handler == SIG_IGN)
		return info->si_code <= 0;
	action->sa_handler(signo);
	return true;
}

bool
traps_take(int signo, siginfo_t *info, void *context)
{
#if defined(__x86_64__)
	greg_t *pc = &((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
	struct trap_text *text;
	uint32_t block;
	int saved = errno;

	if (!traps.set)
		return false;
	if (info->si_code > 0 &&
		traps_find_block((uintptr_t)*pc - 1, &text, &block)) {
		*pc -= 1;
		traps_hit(text, block);
		errno = saved;
		return true;
	}
#endif
	return traps_pass_on(signo, info, context);
}

void
traps_swap_action(const struct sigaction *action, struct sigaction *old)
{
	struct sigaction before = traps.program;

	if (action != NULL)
		traps.program = *action;
	if (old != NULL)
		*old = before;
}
