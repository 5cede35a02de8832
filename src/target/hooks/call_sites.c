/*
 * call_sites: see call_sites.h.
 *
 * Each segment is searched twice: first for the stubs by which the module
 * reaches the function, then for calls of the function or of a stub. Not with
 * memchr(): a segment with code may hold variables too, and AddressSanitizer's
 * memchr() reports the poisoned bytes between them.
 */

#include "target/hooks/call_sites.h"

#include <elf.h>
#include <link.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>

#include "shared/pages.h"

#define CALL_TARGETS_MAX 16
#define CALL_SITES_MAX (4u << 20)

/* Addresses that lead to the function, and slots that hold its address. */
struct call_search {
	const char *name;
	uintptr_t function;
	uintptr_t targets[CALL_TARGETS_MAX];
	size_t targets_n;
	uintptr_t slots[CALL_TARGETS_MAX];
	size_t slots_n;
	uintptr_t *returns;
	uint32_t n;
	void (*on_sites)(const struct call_sites *sites);
};

/* The entries of a module's dynamic section that are needed. */
struct call_dynamic {
	const ElfW(Sym) * symbols;
	const char *strings;
	const ElfW(Rela) * tables[2];
	size_t sizes[2];
};

static void
call_add(uintptr_t *list, size_t *n, uintptr_t address)
{
	if (*n < CALL_TARGETS_MAX)
		list[(*n)++] = address;
}

static bool
call_has(const uintptr_t *list, size_t n, uintptr_t address)
{
	for (size_t i = 0; i < n; i++) {
		if (list[i] == address)
			return true;
	}
	return false;
}

static void
call_add_return(struct call_search *s, uintptr_t address)
{
	if (s->n < CALL_SITES_MAX)
		s->returns[s->n++] = address;
}

/* glibc adds the load address to these pointers, other C libraries do not. */
static const void *
call_pointer(uintptr_t bias, uintptr_t value)
{
	return (const void *)(value < bias ? value + bias : value);
}

static void
call_read_dynamic(struct call_dynamic *d, uintptr_t bias, const ElfW(Dyn) * at)
{
	*d = (struct call_dynamic){ .symbols = NULL };
	for (; at->d_tag != DT_NULL; at++) {
		const void *pointer = call_pointer(bias, at->d_un.d_ptr);

		switch (at->d_tag) {
		case DT_SYMTAB:
			d->symbols = pointer;
			break;
		case DT_STRTAB:
			d->strings = pointer;
			break;
		case DT_JMPREL:
			d->tables[0] = pointer;
			break;
		case DT_PLTRELSZ:
			d->sizes[0] = at->d_un.d_val;
			break;
		case DT_RELA:
			d->tables[1] = pointer;
			break;
		case DT_RELASZ:
			d->sizes[1] = at->d_un.d_val;
			break;
		default:
			break;
		}
	}
}

/* Finds the slots that the dynamic linker fills with the function's address. */
static void
call_find_slots(struct call_search *s, uintptr_t bias,
	const struct call_dynamic *d)
{
	if (d->symbols == NULL || d->strings == NULL)
		return;
	for (int table = 0; table < 2; table++) {
		const ElfW(Rela) *at = d->tables[table];
		size_t n = at != NULL ? d->sizes[table] / sizeof(*at) : 0;

		for (size_t i = 0; i < n; i++) {
			size_t symbol = (size_t)ELF64_R_SYM(at[i].r_info);

			if (symbol != 0 &&
				strcmp(d->strings + d->symbols[symbol].st_name,
					s->name) == 0)
				call_add(s->slots, &s->slots_n,
					bias + at[i].r_offset);
		}
	}
}

#if defined(__x86_64__)

static uintptr_t
call_relative(const uint8_t *at)
{
	int32_t offset;

	memcpy(&offset, at, sizeof(offset));
	return (uintptr_t)(at + sizeof(offset)) + (uintptr_t)(intptr_t)offset;
}

/* jmp *slot(%rip), possibly after "endbr64" and a "bnd" prefix. */
static void
call_find_stubs(struct call_search *s, const uint8_t *text, size_t len)
{
	static const uint8_t ENDBR[] = { 0xf3, 0x0f, 0x1e, 0xfa };
	const uint8_t *at = text, *end = text + len - 6;

	for (; at < end; at++) {
		uintptr_t stub = (uintptr_t)at;

		if (at[0] == 0xff && at[1] == 0x25 &&
			call_has(s->slots, s->slots_n, call_relative(at + 2))) {
			call_add(s->targets, &s->targets_n, stub);
			if (at > text && at[-1] == 0xf2)
				stub--;
			if (stub >= (uintptr_t)text + sizeof(ENDBR) &&
				memcmp((const uint8_t *)stub - sizeof(ENDBR),
					ENDBR, sizeof(ENDBR)) == 0)
				stub -= sizeof(ENDBR);
			if (stub != (uintptr_t)at)
				call_add(s->targets, &s->targets_n, stub);
		}
	}
}

/* call rel32, and call *slot(%rip) */
static void
call_find_calls(struct call_search *s, const uint8_t *text, size_t len)
{
	const uint8_t *end = text + len - 6;

	for (const uint8_t *at = text; at < end; at++) {
		if (at[0] == 0xe8 &&
			call_has(s->targets, s->targets_n,
				call_relative(at + 1)))
			call_add_return(s, (uintptr_t)at + 5);
		else if (at[0] == 0xff && at[1] == 0x15 &&
			call_has(s->slots, s->slots_n, call_relative(at + 2)))
			call_add_return(s, (uintptr_t)at + 6);
	}
}

#elif defined(__aarch64__)

/* adrp x16, page; ldr x17, [x16, #offset]; add …; br x17 */
static void
call_find_stubs(struct call_search *s, const uint8_t *text, size_t len)
{
	const uint32_t *at = (const void *)text, *end = at + len / 4 - 1;

	for (; at < end; at++) {
		uint32_t load = at[1];
		uint64_t pages, offset;
		uintptr_t slot;

		if ((at[0] & 0x9f00001fu) != 0x90000010u ||
			(load & 0xffc003ffu) != 0xf9400211u)
			continue;
		pages = (uint64_t)((at[0] >> 5) & 0x7ffff) << 2 |
			((at[0] >> 29) & 3);
		if (pages & 0x100000)
			pages |= ~(uint64_t)0x1fffff;
		offset = (uint64_t)((load >> 10) & 0xfff) * 8;
		slot = ((uintptr_t)at & ~(uintptr_t)0xfff) + (pages << 12) +
			offset;
		if (call_has(s->slots, s->slots_n, slot))
			call_add(s->targets, &s->targets_n, (uintptr_t)at);
	}
}

/* bl */
static void
call_find_calls(struct call_search *s, const uint8_t *text, size_t len)
{
	const uint32_t *at = (const void *)text, *end = at + len / 4;

	for (; at < end; at++) {
		int64_t offset = (int64_t)((uint64_t)*at << 38) >> 36;

		if ((*at & 0xfc000000u) == 0x94000000u &&
			call_has(s->targets, s->targets_n,
				(uintptr_t)at + (uintptr_t)offset))
			call_add_return(s, (uintptr_t)(at + 1));
	}
}

#else

static void
call_find_stubs(struct call_search *s, const uint8_t *text, size_t len)
{
}

static void
call_find_calls(struct call_search *s, const uint8_t *text, size_t len)
{
}

#endif

static void
call_search_segment(struct call_search *s, const uint8_t *text, size_t len)
{
	struct call_sites sites = { .start = (uintptr_t)text, .len = len };

	s->n = 0;
	call_find_calls(s, text, len);
	if (s->n == 0)
		return;
	sites.returns = s->returns;
	sites.n = s->n;
	s->on_sites(&sites);
}

/* Executable and readable: on some systems, text cannot be read. */
static bool
call_is_text(const ElfW(Phdr) * p)
{
	return p->p_type == PT_LOAD && (p->p_flags & PF_X) &&
		(p->p_flags & PF_R) && p->p_memsz > 16;
}

static int
call_on_module(struct dl_phdr_info *info, size_t size, void *arg)
{
	struct call_search *s = arg;
	struct call_dynamic dynamic;
	uintptr_t bias = info->dlpi_addr;
	bool own = false;

	s->slots_n = 0;
	s->targets_n = 0;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];

		if (p->p_type == PT_DYNAMIC) {
			call_read_dynamic(&dynamic, bias,
				(const void *)(bias + p->p_vaddr));
			call_find_slots(s, bias, &dynamic);
		}
		own = own ||
			(p->p_type == PT_LOAD &&
				s->function - bias - p->p_vaddr < p->p_memsz);
	}
	if (!own && s->slots_n == 0)
		return 0;
	if (own)
		call_add(s->targets, &s->targets_n, s->function);
	for (int i = 0; i < info->dlpi_phnum && s->slots_n > 0; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];

		if (call_is_text(p))
			call_find_stubs(s, (const void *)(bias + p->p_vaddr),
				p->p_memsz);
	}
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];

		if (call_is_text(p))
			call_search_segment(s,
				(const void *)(bias + p->p_vaddr), p->p_memsz);
	}
	return 0;
}

void
call_sites_find(const char *name, uintptr_t function,
	void (*on_sites)(const struct call_sites *sites))
{
	struct call_search search = { .name = name,
		.function = function,
		.on_sites = on_sites };
	size_t size = CALL_SITES_MAX * sizeof(*search.returns);

	search.returns = pages_map(size);
	if (search.returns == NULL)
		return;
	dl_iterate_phdr(call_on_module, &search);
	munmap(search.returns, size);
}

static int
call_on_loads(struct dl_phdr_info *info, size_t size, void *arg)
{
	unsigned long long *loads = arg;

	*loads = info->dlpi_adds;
	return 1;
}

unsigned long long
call_sites_loads(void)
{
	unsigned long long loads = 0;

	dl_iterate_phdr(call_on_loads, &loads);
	return loads;
}
