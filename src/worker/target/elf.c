/* elf: see elf.h. */

#include "worker/target/elf.h"

#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "adapter/afl_binary.h"
#include "base/fd.h"
#include "base/text.h"
#include "base/xmalloc.h"
#include "shared/wire/memory.h"
#include "shared/wire/note.h"
#include "worker/target/command_path.h"
#include "worker/target/elf_file.h"
#include "worker/target/foreign.h"
#include "worker/target/own_libraries.h"
#include "worker/target/plain_binary.h"
#include "worker/target/target_file.h"

#define ELF_PACKED_HEAD 1024u  /* bytes that are searched for a packer */
#define ELF_DYNAMIC_MAX 65536u /* bytes */
#define ELF_SEARCH_BLOCK 65536u

struct elf_reader {
	struct elf_file file;
	const char *shown; /* the path, cleaned */
	struct target_info *info;
	bool has_note;
	struct note note;
	char interpreter[PLAIN_INTERPRETER_MAX]; /* "": none */
	bool is_library; /* or a program with an interpreter */
};

struct elf_machine {
	unsigned id;
	const char *name;
};

static const struct elf_machine elf_machines[] = {
	{ EM_386, "32-bit x86" },
	{ EM_X86_64, "x86-64" },
	{ EM_ARM, "32-bit ARM" },
	{ EM_AARCH64, "arm64" },
	{ EM_RISCV, "RISC-V" },
	{ EM_PPC64, "64-bit POWER" },
	{ EM_S390, "s390" },
	{ EM_MIPS, "MIPS" },
};

static const char *
elf_machine_name(unsigned id)
{
	size_t i;

	for (i = 0; i < sizeof(elf_machines) / sizeof(*elf_machines); i++)
		if (elf_machines[i].id == id)
			return elf_machines[i].name;
	return "another processor";
}

static void
elf_on_note(void *arg, const Elf64_Nhdr *head, const uint8_t *name,
	const uint8_t *desc)
{
	struct elf_reader *r = arg;

	if (!r->info->has_build_id)
		r->info->has_build_id =
			elf_note_build_id(head, name, desc, r->info->id);
	if (head->n_namesz == sizeof(NOTE_OWNER) &&
		memcmp(name, NOTE_OWNER, sizeof(NOTE_OWNER)) == 0 &&
		head->n_type == NOTE_TYPE &&
		head->n_descsz >= sizeof(r->note) && !r->has_note) {
		memcpy(&r->note, desc, sizeof(r->note));
		r->has_note = true;
	}
}

static void
elf_read_interpreter(struct elf_reader *r, const Elf64_Phdr *segment)
{
	char text[PLAIN_INTERPRETER_MAX] = "";
	size_t len = (size_t)segment->p_filesz;

	if (segment->p_filesz < sizeof(text) &&
		elf_file_read(&r->file, segment->p_offset, text, len))
		text_clean_string(text, r->interpreter, sizeof(r->interpreter));
}

/* Only the linker's mark tells a static PIE from a shared library. */
static void
elf_read_dynamic(struct elf_reader *r, const Elf64_Phdr *segment)
{
	Elf64_Dyn entry;
	uint64_t at, end = segment->p_filesz;

	r->is_library = true;
	for (at = 0; at < end && at < ELF_DYNAMIC_MAX; at += sizeof(entry)) {
		if (!elf_file_read(&r->file, segment->p_offset + at, &entry,
			    sizeof(entry)) ||
			entry.d_tag == DT_NULL)
			return;
		if (entry.d_tag == DT_FLAGS_1 && entry.d_un.d_val & DF_1_PIE)
			r->is_library = false;
	}
}

static enum status
elf_truncated(const struct elf_reader *r, struct error *err)
{
	return error_set(err, E_TARGET,
		"%s is cut off or damaged: build it again", r->shown);
}

/* Checks that the headers and the segments lie inside the file. */
static enum status
elf_read_headers(struct elf_reader *r, const Elf64_Ehdr *head,
	struct error *err)
{
	Elf64_Phdr segment;
	unsigned i;

	if (head->e_phnum == 0 || head->e_phnum > ELF_FILE_HEADERS_MAX)
		return elf_truncated(r, err);
	for (i = 0; i < head->e_phnum; i++) {
		if (!elf_file_segment(&r->file, head, i, &segment))
			return elf_truncated(r, err);
		if (segment.p_type == PT_INTERP)
			elf_read_interpreter(r, &segment);
		if (segment.p_type == PT_DYNAMIC)
			elf_read_dynamic(r, &segment);
		if (segment.p_type != PT_NOTE && segment.p_type != PT_LOAD)
			continue;
		if (segment.p_offset > r->file.size ||
			segment.p_filesz > r->file.size - segment.p_offset)
			return elf_truncated(r, err);
		if (segment.p_type == PT_NOTE)
			elf_file_notes(&r->file, &segment, elf_on_note, r);
	}
	return OK;
}

static enum status
elf_check_kind(const struct elf_reader *r, const Elf64_Ehdr *head,
	struct error *err)
{
	bool wide = head->e_ident[EI_CLASS] == ELFCLASS64;

	if (!elf_file_is_ours(head))
		return error_set(err, E_TARGET,
			"%s is built for %s%s, this cfuzz is for %s programs: "
			"build it for this machine",
			r->shown, elf_machine_name(head->e_machine),
			!wide && head->e_machine == ELF_FILE_MACHINE
				? " (32-bit)"
				: "",
			elf_machine_name(ELF_FILE_MACHINE));
	if (head->e_type != ET_EXEC && head->e_type != ET_DYN)
		return error_set(err, E_TARGET,
			"%s is not a program but %s: link it with cfuzz-cc",
			r->shown,
			head->e_type == ET_REL ? "an object file"
				: head->e_type == ET_CORE
				? "a core dump"
				: "an unknown kind of ELF file");
	return OK;
}

/* Does the file contain a name that fuzz targets define or look up? */
static bool
elf_names_fuzzer(const struct elf_reader *r)
{
	static const char name[] = "LLVMFuzzer";
	const size_t overlap = sizeof(name) - 2;
	uint64_t end = r->file.size < ELF_FILE_HASH_MAX ? r->file.size
							: ELF_FILE_HASH_MAX;
	uint8_t *data = xmalloc(ELF_SEARCH_BLOCK);
	bool found = false;

	for (uint64_t at = 0; !found && at + overlap < end;
		at += ELF_SEARCH_BLOCK - overlap) {
		size_t len = end - at < ELF_SEARCH_BLOCK ? (size_t)(end - at)
							 : ELF_SEARCH_BLOCK;

		if (!elf_file_read(&r->file, at, data, len))
			break;
		found = memmem(data, len, name, sizeof(name) - 1) != NULL;
	}
	free(data);
	return found;
}

/* A program without our note, but of a fuzzer that the adapter knows? */
static bool
elf_is_foreign(const struct elf_reader *r)
{
	struct afl_binary binary;

	if (r->has_note)
		return false;
	afl_binary_read(r->file.fd, r->file.size, &binary);
	return binary.is_afl;
}

/* UPX leaves its name right behind the program headers. */
static bool
elf_is_packed(const struct elf_reader *r)
{
	char head[ELF_PACKED_HEAD];
	size_t len = r->file.size < sizeof(head) ? (size_t)r->file.size
						 : sizeof(head);

	return elf_file_read(&r->file, 0, head, len) &&
		memmem(head, len, "UPX!", 4) != NULL;
}

static enum status
elf_check_note(const struct elf_reader *r, struct error *err)
{
	if (elf_is_foreign(r))
		return foreign_open_adapter(&r->info->adapter_fd, err);
	if (!r->has_note && elf_names_fuzzer(r))
		return error_set(err, E_TARGET,
			"%s looks like a target of another fuzzer: link its "
			"objects again with cfuzz-cc, or for C++ cfuzz-c++, as "
			"the compiler: cfuzz-cc -fsanitize=fuzzer -o TARGET "
			"OBJECT...",
			r->shown);
	if (!r->has_note && elf_is_packed(r))
		return error_set(err, E_TARGET,
			"%s is packed by UPX, so its code is hidden: unpack a "
			"copy (upx -d) and fuzz that",
			r->shown);
	if (!r->has_note && r->is_library && r->interpreter[0] == '\0')
		return error_set(err, E_TARGET,
			"%s is a shared library, not a program: fuzz a program "
			"that calls it",
			r->shown);
	if (!r->has_note)
		return plain_binary_check(r->shown, r->interpreter,
			r->info->preload, sizeof(r->info->preload), err);
	if (r->note.wire_version != WIRE_VERSION)
		return error_set(err, E_TARGET,
			"%s was built with another version of cfuzz (protocol "
			"%u, this one speaks %u): build it again with this "
			"cfuzz-cc",
			r->shown, r->note.wire_version, WIRE_VERSION);
	r->info->features = r->note.features;
	return OK;
}

static enum status
elf_refuse_script(const struct elf_reader *r, struct error *err)
{
	char start[COMMAND_SCRIPT_START] = "";
	uint64_t len = r->file.size - 2;

	if (len > sizeof(start) - 1)
		len = sizeof(start) - 1;
	if (!elf_file_read(&r->file, 2, start, (size_t)len))
		start[0] = '\0';
	return command_path_refuse_script(r->shown, start, err);
}

static enum status
elf_check_file(struct elf_reader *r, struct error *err)
{
	unsigned char magic[SELFMAG] = { 0 };
	Elf64_Ehdr head;
	enum status status;

	if (r->file.size == 0)
		return error_set(err, E_TARGET, "%s is empty: build it again",
			r->shown);
	if (elf_file_read(&r->file, 0, magic, 2) && memcmp(magic, "#!", 2) == 0)
		return elf_refuse_script(r, err);
	if (!elf_file_read(&r->file, 0, magic, SELFMAG) ||
		memcmp(magic, ELFMAG, SELFMAG) != 0)
		return error_set(err, E_TARGET,
			"%s is not a program (no ELF file): name the program "
			"to fuzz",
			r->shown);
	/* The shorter 32-bit header has the same layout up to e_machine. */
	memset(&head, 0, sizeof(head));
	if (!elf_file_read(&r->file, 0, &head, sizeof(Elf32_Ehdr)))
		return elf_truncated(r, err);
	status = elf_check_kind(r, &head, err);
	if (status != OK)
		return status;
	if (!elf_file_read(&r->file, 0, &head, sizeof(head)))
		return elf_truncated(r, err);
	status = elf_read_headers(r, &head, err);
	if (status == OK)
		status = elf_check_note(r, err);
	return status;
}

/* Without a build-id the target's id is the hash of its content. */
static enum status
elf_hash_file(struct elf_reader *r, struct error *err)
{
	if (r->info->has_build_id || elf_file_hash(&r->file, r->info->id))
		return OK;
	return error_set(err, E_TARGET,
		"%s cannot be read to its end: build it again", r->shown);
}

/* Resolves the folder only. A link as last part stays: users rebuild it. */
static enum status
elf_absolute_path(const char *path, const char *shown, struct target_info *info,
	struct error *err)
{
	const char *slash = strrchr(path, '/');
	const char *name = basename(path);
	char *folder = slash ? xstrndup(path, (size_t)(slash - path)) : NULL;
	char *real = realpath(!folder ? "." : *folder ? folder : "/", NULL);
	int len;

	if (!real) {
		free(folder);
		return error_set(err, E_TARGET, "%s: its folder: %s", shown,
			strerror(errno));
	}
	len = snprintf(info->path, sizeof(info->path), "%s/%s",
		strcmp(real, "/") == 0 ? "" : real, name);
	free(folder);
	free(real);
	if (len < 0 || (size_t)len >= sizeof(info->path) ||
		strlen(name) >= sizeof(info->name))
		return error_set(err, E_TARGET, "%s: the path is too long",
			shown);
	memcpy(info->name, name, strlen(name) + 1);
	return OK;
}

static void
elf_name_build(const struct elf_file *f, struct target_info *info)
{
	memcpy(info->build, info->id, sizeof(info->build));
	own_libraries_add(f, info->path, getenv("LD_LIBRARY_PATH"),
		info->build);
}

static enum status
elf_check(const char *path, const char *shown, struct target_info *info,
	struct error *err)
{
	struct elf_reader reader = { .shown = shown, .info = info };
	enum status status;

	if (!*path)
		return error_set(err, E_TARGET,
			"the target has an empty name: name the program");
	status = target_file_open(path, shown, &info->fd, &reader.file.size,
		err);
	reader.file.fd = info->fd;
	if (status == OK)
		status = elf_check_file(&reader, err);
	if (status == OK)
		status = elf_hash_file(&reader, err);
	if (status == OK)
		status = elf_absolute_path(path, shown, info, err);
	if (status == OK)
		elf_name_build(&reader.file, info);
	return status;
}

enum status
target_check(const char *name, struct target_info *info, struct error *err)
{
	char found[PATH_MAX];
	const char *path = command_path_find(name, found, sizeof(found));
	char *shown = text_clean_dup(path, strlen(path));
	enum status status;

	memset(info, 0, sizeof(*info));
	info->fd = -1;
	status = elf_check(path, shown, info, err);
	if (status != OK)
		target_info_clear(info);
	free(shown);
	return status;
}

void
target_info_clear(struct target_info *info)
{
	if (info->adapter_fd > 0)
		close(info->adapter_fd);
	info->adapter_fd = 0;
	fd_close(&info->fd);
}
