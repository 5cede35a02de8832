/* own_libraries: see own_libraries.h. No file is trusted: see elf_file.h. */

#include "worker/target/own_libraries.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/fd.h"
#include "base/hash.h"
#include "base/xmalloc.h"

#define LIBRARIES_MAX 64u       /* of a program; more are passed over */
#define LIBRARIES_DYNAMIC 4096u /* entries of one dynamic section */
#define LIBRARIES_NEEDED 128u   /* libraries that one file names */
#define LIBRARIES_STRINGS (1u << 20)

/* A program or a library, and what its dynamic section says. */
struct loaded {
	struct elf_file file;
	char *path;                /* owned */
	char id[ELF_FILE_ID_SIZE]; /* of a library; "": has no build-id */
	uint64_t needed[LIBRARIES_NEEDED]; /* offsets in strings */
	size_t needed_n;
	uint64_t rpath, runpath; /* offsets; 0: none */
	char *strings;           /* ends with 0; owned; NULL: none */
	size_t strings_len;
};

struct libraries {
	const char *library_path;
	const struct loaded *program;
	char *paths[LIBRARIES_MAX]; /* those read, then those to read; owned */
	size_t n;
};

/* ---- one file ----------------------------------------------------------- */

static void
loaded_on_note(void *arg, const Elf64_Nhdr *head, const uint8_t *name,
	const uint8_t *desc)
{
	struct loaded *l = arg;

	if (l->id[0] == '\0')
		(void)elf_note_build_id(head, name, desc, l->id);
}

/* The offset in the file of what is loaded at this address; 0: nothing. */
static uint64_t
loaded_offset(const struct loaded *l, const Elf64_Ehdr *head, uint64_t address)
{
	Elf64_Phdr segment;

	for (unsigned i = 0; i < head->e_phnum; i++)
		if (elf_file_segment(&l->file, head, i, &segment) &&
			segment.p_type == PT_LOAD &&
			address >= segment.p_vaddr &&
			address - segment.p_vaddr < segment.p_filesz)
			return segment.p_offset + (address - segment.p_vaddr);
	return 0;
}

static void
loaded_read_strings(struct loaded *l, uint64_t offset, uint64_t size)
{
	if (l->strings != NULL || offset == 0 || size == 0 ||
		size > LIBRARIES_STRINGS)
		return;
	l->strings = xmalloc((size_t)size + 1);
	l->strings_len = (size_t)size;
	if (!elf_file_read(&l->file, offset, l->strings, (size_t)size))
		l->strings_len = 0;
	l->strings[l->strings_len] = '\0';
}

static void
loaded_read_dynamic(struct loaded *l, const Elf64_Ehdr *head,
	const Elf64_Phdr *segment)
{
	uint64_t strings = 0, size = 0, i;
	Elf64_Dyn entry;

	for (i = 0; i < LIBRARIES_DYNAMIC &&
		i < segment->p_filesz / sizeof(entry) &&
		elf_file_read(&l->file, segment->p_offset + i * sizeof(entry),
			&entry, sizeof(entry));
		i++) {
		if (entry.d_tag == DT_NEEDED && l->needed_n < LIBRARIES_NEEDED)
			l->needed[l->needed_n++] = entry.d_un.d_val;
		else if (entry.d_tag == DT_RPATH)
			l->rpath = entry.d_un.d_val;
		else if (entry.d_tag == DT_RUNPATH)
			l->runpath = entry.d_un.d_val;
		else if (entry.d_tag == DT_STRTAB)
			strings = entry.d_un.d_ptr;
		else if (entry.d_tag == DT_STRSZ)
			size = entry.d_un.d_val;
		else if (entry.d_tag == DT_NULL)
			break;
	}
	loaded_read_strings(l, loaded_offset(l, head, strings), size);
}

/* Reads notes and dynamic section. False: it is not a file to load. */
static bool
loaded_read(struct loaded *l)
{
	Elf64_Phdr segment;
	Elf64_Ehdr head;

	if (!elf_file_read(&l->file, 0, &head, sizeof(head)) ||
		memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 ||
		!elf_file_is_ours(&head) || head.e_phnum > ELF_FILE_HEADERS_MAX)
		return false;
	for (unsigned i = 0; i < head.e_phnum; i++) {
		if (!elf_file_segment(&l->file, &head, i, &segment))
			return false;
		if (segment.p_type == PT_NOTE)
			elf_file_notes(&l->file, &segment, loaded_on_note, l);
		if (segment.p_type == PT_DYNAMIC)
			loaded_read_dynamic(l, &head, &segment);
	}
	return true;
}

static const char *
loaded_string(const struct loaded *l, uint64_t offset)
{
	return offset < l->strings_len ? l->strings + offset : NULL;
}

static void
loaded_clear(struct loaded *l)
{
	free(l->path);
	free(l->strings);
}

/* ---- where a library is ------------------------------------------------- */

/* Writes a folder of a list; false: it has a variable of the machine, as $LIB. */
static bool
folder_write(const char *folder, size_t len, const char *origin, char *buf,
	size_t size)
{
	static const char *const variables[] = { "$ORIGIN", "${ORIGIN}" };
	const char *slash = strrchr(origin, '/');
	int origin_len = slash != NULL ? (int)(slash - origin) : 0;
	size_t i, skip;

	for (i = 0; i < sizeof(variables) / sizeof(*variables); i++) {
		skip = strlen(variables[i]);
		if (len < skip || memcmp(folder, variables[i], skip) != 0)
			continue;
		snprintf(buf, size, "%.*s%.*s", origin_len, origin,
			(int)(len - skip), folder + skip);
		return true;
	}
	snprintf(buf, size, "%.*s", (int)len, len > 0 ? folder : ".");
	return len == 0 || memchr(folder, '$', len) == NULL;
}

static bool
library_exists(const char *path)
{
	struct stat st;
	int fd = fd_open_regular(path, &st);

	if (fd < 0)
		return false;
	fd_close(&fd);
	return true;
}

/* Is the library in a folder of this list (NULL: none)? Then sets path. */
static bool
list_find(const char *list, const char *origin, const char *name, char *path,
	size_t size)
{
	char folder[PATH_MAX];
	size_t len;

	while (list != NULL) {
		len = strcspn(list, ":;");
		if (folder_write(list, len, origin, folder, sizeof(folder)) &&
			snprintf(path, size, "%s/%s", folder, name) <
				(int)size &&
			library_exists(path))
			return true;
		list = list[len] != '\0' ? list + len + 1 : NULL;
	}
	return false;
}

/* DT_RPATH counts only without DT_RUNPATH. */
static const char *
loaded_rpath(const struct loaded *l)
{
	return l->runpath == 0 && l->rpath != 0 ? loaded_string(l, l->rpath)
						: NULL;
}

/* Finds a library that `by` needs, if it is the user's own. */
static bool
libraries_find(const struct libraries *libs, const struct loaded *by,
	const char *name, char *path, size_t size)
{
	const struct loaded *program = libs->program;

	if (strchr(name, '/') != NULL)
		return folder_write(name, strlen(name), by->path, path, size) &&
			library_exists(path);
	return list_find(loaded_rpath(by), by->path, name, path, size) ||
		list_find(loaded_rpath(program), program->path, name, path,
			size) ||
		list_find(libs->library_path, program->path, name, path,
			size) ||
		(by->runpath != 0 &&
			list_find(loaded_string(by, by->runpath), by->path,
				name, path, size));
}

/* ---- all libraries ------------------------------------------------------ */

static bool
libraries_have(const struct libraries *libs, const char *path)
{
	for (size_t i = 0; i < libs->n; i++)
		if (strcmp(libs->paths[i], path) == 0)
			return true;
	return false;
}

/* Notes the libraries that a file needs, to be read. */
static void
libraries_note(struct libraries *libs, const struct loaded *by)
{
	char path[PATH_MAX];
	const char *name;

	for (size_t i = 0; i < by->needed_n && libs->n < LIBRARIES_MAX; i++) {
		name = loaded_string(by, by->needed[i]);
		if (name != NULL && *name != '\0' &&
			libraries_find(libs, by, name, path, sizeof(path)) &&
			!libraries_have(libs, path))
			libs->paths[libs->n++] = xstrdup(path);
	}
}

static void
libraries_read(struct libraries *libs, const char *path,
	char id[ELF_FILE_ID_SIZE])
{
	char text[2 * ELF_FILE_ID_SIZE + NAME_MAX];
	struct loaded l = { .path = xstrdup(path) };
	struct stat st;

	l.file.fd = fd_open_regular(path, &st);
	if (l.file.fd >= 0)
		l.file.size = (uint64_t)st.st_size;
	if (l.file.fd >= 0 && loaded_read(&l) &&
		(l.id[0] != '\0' || elf_file_hash(&l.file, l.id))) {
		snprintf(text, sizeof(text), "%s %s %s", id,
			strrchr(path, '/') + 1, l.id);
		sha256_name(text, strlen(text), id);
		libraries_note(libs, &l);
	}
	fd_close(&l.file.fd);
	loaded_clear(&l);
}

void
own_libraries_add(const struct elf_file *program, const char *path,
	const char *library_path, char id[ELF_FILE_ID_SIZE])
{
	/* For ld.so, $ORIGIN is the folder of the file, not of a link to it. */
	char *real = realpath(path, NULL);
	struct loaded l = { .file = *program,
		.path = real != NULL ? real : xstrdup(path) };
	struct libraries libs = { .library_path = library_path, .program = &l };
	size_t i;

	if (loaded_read(&l))
		libraries_note(&libs, &l);
	for (i = 0; i < libs.n; i++)
		libraries_read(&libs, libs.paths[i], id);
	for (i = 0; i < libs.n; i++)
		free(libs.paths[i]);
	loaded_clear(&l);
}
