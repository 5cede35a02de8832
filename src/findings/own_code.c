/*
 * own_code: see own_code.h. Several functions may have the same address: if one
 * of them is foreign, all count as foreign.
 */
#include "findings/own_code.h"

#include <elf.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "base/xmalloc.h"
#include "findings/library_names.h"
#include "shared/wire/failure.h"

#define SECTIONS_MAX 4096u
#define TABLE_MAX (64u << 20)
#define RUNTIME_SECTION "cfuzz"
#define N(a) (sizeof(a) / sizeof((a)[0]))

/* Libraries that come with the system, besides those of failure_is_library(). */
static const char *const standard[] = { "libm.so", "librt.so", "libdl.so",
	"libutil.so", "libresolv.so", "libatomic.so", "libgomp.so",
	"libunwind.so", "libmvec.so", "libanl.so", "libnsl.so" };

struct bytes {
	char *at; /* followed by a zero byte; NULL: none */
	size_t len;
};

struct image {
	int fd;
	Elf64_Ehdr head;
	Elf64_Shdr *sections;
	struct bytes names; /* section names */
};

struct function {
	uint64_t address, size;
	bool foreign;
};

static struct bytes
own_code_read_at(int fd, uint64_t offset, uint64_t len)
{
	struct bytes b = { NULL, 0 };
	struct stat st;

	if (fstat(fd, &st) != 0 || len == 0 || len > TABLE_MAX ||
		offset > (uint64_t)st.st_size ||
		len > (uint64_t)st.st_size - offset)
		return b;
	b.at = xmalloc((size_t)len + 1);
	b.len = (size_t)len;
	if (pread(fd, b.at, b.len, (off_t)offset) != (ssize_t)len) {
		free(b.at);
		return (struct bytes){ NULL, 0 };
	}
	b.at[b.len] = '\0';
	return b;
}

static struct bytes
own_code_read_section(const struct image *image, uint32_t i)
{
	const Elf64_Shdr *s = &image->sections[i];

	if (i >= image->head.e_shnum || s->sh_type == SHT_NOBITS)
		return (struct bytes){ NULL, 0 };
	return own_code_read_at(image->fd, s->sh_offset, s->sh_size);
}

static const char *
own_code_name_at(const struct bytes *names, uint64_t at)
{
	return names->at != NULL && at < names->len ? names->at + at : "";
}

static bool
own_code_open_image(struct image *image, int fd)
{
	struct bytes head = own_code_read_at(fd, 0, sizeof(image->head)), table;

	*image = (struct image){ .fd = fd };
	if (head.at == NULL)
		return false;
	memcpy(&image->head, head.at, sizeof(image->head));
	free(head.at);
	if (image->head.e_shentsize != sizeof(Elf64_Shdr) ||
		image->head.e_shnum > SECTIONS_MAX)
		return false;
	table = own_code_read_at(fd, image->head.e_shoff,
		(uint64_t)image->head.e_shnum * sizeof(Elf64_Shdr));
	image->sections = (void *)table.at;
	if (table.at == NULL)
		return false;
	image->names = own_code_read_section(image, image->head.e_shstrndx);
	return true;
}

static bool
own_code_is_runtime(const struct image *image, uint32_t section)
{
	const char *name = section < image->head.e_shnum
		? own_code_name_at(&image->names,
			  image->sections[section].sh_name)
		: "";

	return strncmp(name, RUNTIME_SECTION, strlen(RUNTIME_SECTION)) == 0;
}

static void
own_code_copy(char *to, size_t size, const char *from)
{
	size_t len = strnlen(from, size - 1);

	memcpy(to, from, len);
	to[len] = '\0';
}

static bool
own_code_is_foreign(struct symbol *s, const char *name, const char *file)
{
	own_code_copy(s->function, sizeof(s->function), name);
	own_code_copy(s->file, sizeof(s->file), file);
	return library_is_function(s, false);
}

static int
own_code_compare_functions(const void *a, const void *b)
{
	const struct function *x = a, *y = b;

	return x->address < y->address ? -1 : x->address > y->address;
}

/* Adds up the sizes, each address once. */
static uint64_t
own_code_sum(struct function *at, size_t n)
{
	uint64_t bytes = 0, largest;
	size_t i, k;
	bool foreign;

	if (n > 0)
		qsort(at, n, sizeof(*at), own_code_compare_functions);
	for (i = 0; i < n; i = k) {
		foreign = false;
		largest = 0;
		for (k = i; k < n && at[k].address == at[i].address; k++) {
			foreign |= at[k].foreign;
			if (at[k].size > largest && at[k].size < TABLE_MAX)
				largest = at[k].size;
		}
		bytes += foreign ? 0 : largest;
	}
	return bytes;
}

/* The runtime's own main() is weak; it runs a function that one of these names. */
static void
own_code_look_for_main(const Elf64_Sym *s, const char *name,
	struct own_code *code)
{
	static const char *const functions[] = { "LLVMFuzzerTestOneInput",
		"LLVMFuzzerRunDriver", "cfuzz_target" };

	if (s->st_shndx == SHN_UNDEF)
		return;
	if (ELF64_ST_BIND(s->st_info) == STB_GLOBAL &&
		strcmp(name, "main") == 0)
		code->has_main = true;
	for (size_t i = 0; i < N(functions); i++)
		if (strcmp(name, functions[i]) == 0)
			code->has_function = true;
}

static void
own_code_sum_symbols(const struct image *image, const struct bytes *table,
	const struct bytes *names, struct own_code *code)
{
	size_t n = table->len / sizeof(Elf64_Sym), used = 0, i;
	struct function *functions = xcalloc(n + 1, sizeof(*functions));
	/* Too large for a small stack. */
	struct symbol *symbol = xcalloc(1, sizeof(*symbol));
	const char *file = "";
	Elf64_Sym s;

	for (i = 0; i < n; i++) {
		memcpy(&s, table->at + i * sizeof(s), sizeof(s));
		if (ELF64_ST_TYPE(s.st_info) == STT_FILE)
			file = own_code_name_at(names, s.st_name);
		own_code_look_for_main(&s, own_code_name_at(names, s.st_name),
			code);
		if (ELF64_ST_TYPE(s.st_info) != STT_FUNC ||
			s.st_shndx == SHN_UNDEF)
			continue;
		functions[used++] = (struct function){ s.st_value, s.st_size,
			own_code_is_runtime(image, s.st_shndx) ||
				own_code_is_foreign(symbol,
					own_code_name_at(names, s.st_name),
					ELF64_ST_BIND(s.st_info) == STB_LOCAL
						? file
						: "") };
	}
	code->bytes = own_code_sum(functions, used);
	free(symbol);
	free(functions);
}

static bool
own_code_is_standard(const char *library)
{
	size_t i;

	for (i = 0; i < N(standard); i++)
		if (strncmp(library, standard[i], strlen(standard[i])) == 0)
			return true;
	return failure_is_library(library);
}

/* False: the program needs no shared library. */
static bool
own_code_read_libraries(const struct bytes *table, const struct bytes *names,
	struct own_code *code)
{
	bool any = false;
	Elf64_Dyn d;
	size_t i;

	for (i = 0; i < table->len / sizeof(d); i++) {
		memcpy(&d, table->at + i * sizeof(d), sizeof(d));
		if (d.d_tag != DT_NEEDED)
			continue;
		any = true;
		if (code->library[0] == '\0' &&
			!own_code_is_standard(
				own_code_name_at(names, d.d_un.d_val)))
			text_clean_string(own_code_name_at(names, d.d_un.d_val),
				code->library, sizeof(code->library));
	}
	return any;
}

/* In a static program, own code and libraries cannot be told apart. */
static void
own_code_read_image(const struct image *image, struct own_code *code)
{
	struct bytes table, names;
	bool dynamic = false;
	uint32_t i;

	for (i = 0; i < image->head.e_shnum; i++) {
		const Elf64_Shdr *s = &image->sections[i];

		if (s->sh_type != SHT_SYMTAB && s->sh_type != SHT_DYNAMIC)
			continue;
		table = own_code_read_section(image, i);
		names = own_code_read_section(image, s->sh_link);
		if (table.at != NULL && s->sh_type == SHT_SYMTAB)
			own_code_sum_symbols(image, &table, &names, code);
		else if (table.at != NULL)
			dynamic = own_code_read_libraries(&table, &names, code);
		free(table.at);
		free(names.at);
	}
	if (!dynamic)
		code->bytes = 0;
}

void
own_code_read(int fd, struct own_code *code)
{
	struct image image;

	*code = (struct own_code){ .bytes = 0 };
	if (own_code_open_image(&image, fd))
		own_code_read_image(&image, code);
	free(image.names.at);
	free(image.sections);
}
