/* modules: see modules.h. */

#include "target/hooks/modules.h"

#include <dlfcn.h>
#include <elf.h>
#include <limits.h>
#include <link.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "shared/deleted.h"
#include "shared/fnv.h"
#include "target/abi.h"
#include "target/hooks/plain.h"
#include "target/hooks/strings.h"

#define MODULES_ALIGN(n) (((n) + 3u) & ~(size_t)3u)

/* Absent from a program that is linked statically. */
ABI_WEAK void *dlopen(const char *, int);
ABI_WEAK int dladdr(const void *, Dl_info *);

/* Both are set once, keeping before the constructors of the program. */
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
static bool modules_keeping;
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
static struct worker_head *modules_head;
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
static struct {
	uintptr_t start, end;
} modules_main;

struct modules_list {
	struct failure_module *modules;
	uint32_t n, max;
};

struct modules_search {
	uintptr_t address;
	uint64_t hash; /* 0: not found yet */
};

/*
 * The program's path. It is the same when the file was replaced or deleted
 * since: a frame is told by its module's name.
 */
static void
modules_set_program(char *path, size_t size)
{
	static const char self[] = "/proc/self/exe";
	ssize_t len = readlink(self, path, size - 1);
	struct stat ours, named;

	path[len > 0 ? len : 0] = '\0';
	/* A file with that very name is no deleted one. */
	if (len > 0 &&
		(stat(path, &named) != 0 || stat(self, &ours) != 0 ||
			named.st_dev != ours.st_dev ||
			named.st_ino != ours.st_ino))
		path[deleted_len(path, (size_t)len)] = '\0';
}

/*
 * The file's name without its folder. An empty path means the program itself.
 */
static void
modules_set_name(char *name, size_t size, const char *path)
{
	char program[4096];
	const char *slash;

	if (path == NULL || path[0] == '\0') {
		modules_set_program(program, sizeof(program));
		path = program;
	}
	slash = strrchr(path, '/');
	(void)snprintf(name, size, "%.*s", (int)size - 1,
		slash != NULL ? slash + 1 : path);
}

/* The range from the first to the last loaded byte. */
static bool
modules_range(const struct dl_phdr_info *info, uintptr_t *start, uintptr_t *end)
{
	*start = UINTPTR_MAX;
	*end = 0;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		uintptr_t at = info->dlpi_addr + p->p_vaddr;

		if (p->p_type != PT_LOAD)
			continue;
		if (at < *start)
			*start = at;
		if (at + p->p_memsz > *end)
			*end = at + p->p_memsz;
	}
	return *start < *end;
}

static int
modules_on_list(struct dl_phdr_info *info, size_t size, void *arg)
{
	struct modules_list *list = arg;
	struct failure_module *m = &list->modules[list->n];
	uintptr_t start, end;

	if (!modules_range(info, &start, &end))
		return 0;
	m->start = start;
	m->end = end;
	m->bias = info->dlpi_addr;
	modules_set_name(m->name, sizeof(m->name), info->dlpi_name);
	return ++list->n == list->max;
}

static void
modules_add_part(struct modules_list *list, const char *name, const char *start,
	const char *stop)
{
	struct failure_module *m = &list->modules[list->n];

	/* Each part has its own section in the library; a test may lack
	 * them. */
	if (start == stop)
		return;
	*m = (struct failure_module){ .start = (uintptr_t)start,
		.end = (uintptr_t)stop };
	(void)snprintf(m->name, sizeof(m->name), "%s", name);
	list->n++;
}

uint32_t
modules_list(struct failure_module *modules, uint32_t max)
{
	struct modules_list list = { .modules = modules,
		.max = max - FAILURE_PARTS };

	if (max <= FAILURE_PARTS)
		return 0;
	dl_iterate_phdr(modules_on_list, &list);
	modules_add_part(&list, FAILURE_PART_CALLS, __start_cfuzz_calls,
		__stop_cfuzz_calls);
	modules_add_part(&list, FAILURE_PART_STRINGS, __start_cfuzz_strings,
		__stop_cfuzz_strings);
	modules_add_part(&list, FAILURE_PART_TEXT, __start_cfuzz_text,
		__stop_cfuzz_text);
	modules_add_part(&list, FAILURE_PART_MAIN,
		(const char *)modules_main.start,
		(const char *)modules_main.end);
	return list.n;
}

void
modules_set_main(uintptr_t start, uintptr_t end)
{
	modules_main.start = start;
	modules_main.end = end;
}

/* Finds the build-id in the notes of one segment; NULL: not there. */
static const uint8_t *
modules_find_id(const uint8_t *at, size_t len, size_t *id_len)
{
	while (len >= sizeof(ElfW(Nhdr))) {
		const ElfW(Nhdr) *note = (const void *)at;
		size_t name = MODULES_ALIGN((size_t)note->n_namesz);
		size_t size = sizeof(*note) + name +
			MODULES_ALIGN((size_t)note->n_descsz);

		if (size > len)
			break;
		if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 &&
			memcmp(at + sizeof(*note), "GNU", 4) == 0) {
			*id_len = note->n_descsz;
			return at + sizeof(*note) + name;
		}
		at += size;
		len -= size;
	}
	return NULL;
}

static uint64_t
modules_hash_notes(const uint8_t *at, size_t len)
{
	size_t id_len;
	const uint8_t *id = modules_find_id(at, len, &id_len);

	return id != NULL ? fnv_add(FNV_BASIS, id, id_len) : 0;
}

static int
modules_on_search(struct dl_phdr_info *info, size_t size, void *arg)
{
	struct modules_search *search = arg;
	char name[FAILURE_MODULE_MAX];
	uintptr_t start, end;

	if (!modules_range(info, &start, &end) || search->address < start ||
		search->address >= end)
		return 0;
	for (int i = 0; i < info->dlpi_phnum && search->hash == 0; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];

		if (p->p_type == PT_NOTE)
			search->hash = modules_hash_notes(
				(const uint8_t *)info->dlpi_addr + p->p_vaddr,
				p->p_memsz);
	}
	if (search->hash == 0) {
		modules_set_name(name, sizeof(name), info->dlpi_name);
		search->hash = fnv_add(FNV_BASIS, name, strlen(name));
	}
	return 1;
}

uint64_t
modules_hash(const void *address)
{
	struct modules_search search = { .address = (uintptr_t)address };

	dl_iterate_phdr(modules_on_search, &search);
	return search.hash;
}

struct modules_query {
	uintptr_t address;
	struct module_info *module;
	bool found;
};

static void
modules_take_id(struct module_info *module, const uint8_t *notes, size_t len)
{
	size_t id_len = 0;
	const uint8_t *id = modules_find_id(notes, len, &id_len);

	if (module->id_len > 0 || id == NULL || id_len > sizeof(module->id))
		return;
	memcpy(module->id, id, id_len);
	module->id_len = (uint32_t)id_len;
}

/* Finds the segment that holds the head of the unwind table. */
static void
modules_take_segment(const struct dl_phdr_info *info,
	struct module_info *module)
{
	uintptr_t unwind = (uintptr_t)module->unwind;

	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		uintptr_t at = info->dlpi_addr + p->p_vaddr;

		if (p->p_type == PT_LOAD && (p->p_flags & PF_R) &&
			unwind >= at && unwind - at < p->p_memsz) {
			module->segment_start = at;
			module->segment_end = at + p->p_memsz;
		}
	}
}

static int
modules_on_query(struct dl_phdr_info *info, size_t size, void *arg)
{
	struct modules_query *query = arg;
	struct module_info *module = query->module;
	uintptr_t start, end;

	if (!modules_range(info, &start, &end) || query->address < start ||
		query->address >= end)
		return 0;
	query->found = true;
	module->bias = info->dlpi_addr;
	if (info->dlpi_name != NULL &&
		strlen(info->dlpi_name) < sizeof(module->path))
		memcpy(module->path, info->dlpi_name,
			strlen(info->dlpi_name) + 1);
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		const uint8_t *at =
			(const uint8_t *)info->dlpi_addr + p->p_vaddr;

		if (p->p_type == PT_NOTE)
			modules_take_id(module, at, p->p_memsz);
		if (p->p_type == PT_GNU_EH_FRAME) {
			module->unwind = at;
			module->unwind_size = p->p_memsz;
		}
	}
	modules_take_segment(info, module);
	return 1;
}

bool
modules_find(const void *address, struct module_info *module)
{
	struct modules_query query = { .address = (uintptr_t)address,
		.module = module };

	memset(module, 0, sizeof(*module));
	dl_iterate_phdr(modules_on_query, &query);
	return query.found;
}

void
modules_begin_keeping(void)
{
	modules_keeping = true;
}

const char *
modules_keep(const void *address)
{
	Dl_info info;

	if (!modules_keeping || dladdr == NULL || dlopen == NULL ||
		dladdr(address, &info) == 0 || info.dli_fname == NULL)
		return NULL;
	(void)dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
	return info.dli_fname;
}

void
modules_begin_pinning(struct worker_head *head)
{
	modules_head = head;
}

/* Names are looked up in the file when this process may be gone. */
static void
modules_note_path(const char *name)
{
	char *to = modules_head->paths, real[PATH_MAX], line[PATH_MAX + 1];
	const char *path = name[0] == '/' ? name : realpath(name, real);
	size_t used = strnlen(to, MEMORY_PATHS_SIZE), len;

	if (path == NULL || used == MEMORY_PATHS_SIZE)
		return;
	len = (size_t)snprintf(line, sizeof(line), "%s\n", path);
	if (len < sizeof(line) && len < MEMORY_PATHS_SIZE - used &&
		plain_strstr(to, line) == NULL)
		memcpy(to + used, line, len + 1);
}

void
modules_pin(const void *address)
{
	const char *name;

	if (modules_head == NULL)
		return;
	name = modules_keep(address);
	if (name != NULL)
		modules_note_path(name);
	modules_head->map_n =
		modules_list(modules_head->map, FAILURE_MODULES_MAX);
}
