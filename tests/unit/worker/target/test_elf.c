/*
 * test_elf: each kind of invalid target gives its own message, and a damaged
 * file does no harm.
 */
#include "worker/target/elf.h"

#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/xmalloc.h"
#include "lib/tree.h"
#include "shared/wire/memory.h"
#include "shared/wire/note.h"

#if defined(__x86_64__)
#define OWN_MACHINE EM_X86_64
#define OTHER_MACHINE EM_AARCH64
#else
#define OWN_MACHINE EM_AARCH64
#define OTHER_MACHINE EM_X86_64
#endif

/* A minimal program: two headers, two notes. */
struct build_id_note {
	Elf64_Nhdr head;
	char name[4];
	uint8_t id[20];
};

struct own_note {
	Elf64_Nhdr head;
	char name[8];
	struct note note;
};

struct program {
	Elf64_Ehdr head;
	Elf64_Phdr segments[2];
	struct build_id_note build_id;
	struct own_note own;
};

static void
program_init(struct program *program)
{
	size_t i;

	*program = (struct program){
		.head = {
			.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3,
				ELFCLASS64, ELFDATA2LSB, EV_CURRENT },
			.e_type = ET_DYN,
			.e_machine = OWN_MACHINE,
			.e_version = EV_CURRENT,
			.e_phoff = sizeof(Elf64_Ehdr),
			.e_ehsize = sizeof(Elf64_Ehdr),
			.e_phentsize = sizeof(Elf64_Phdr),
			.e_phnum = 2,
		},
		.segments = {
			{ .p_type = PT_LOAD, .p_filesz = sizeof(*program) },
			{
				.p_type = PT_NOTE,
				.p_offset = offsetof(struct program, build_id),
				.p_filesz = sizeof(*program) -
					offsetof(struct program, build_id),
				.p_align = 4,
			},
		},
		.build_id = {
			.head = { 4, 20, NT_GNU_BUILD_ID },
			.name = "GNU",
		},
		.own = {
			.head = { sizeof(NOTE_OWNER), sizeof(struct note),
				NOTE_TYPE },
			.name = NOTE_OWNER,
			.note = { WIRE_VERSION, NOTE_FEATURE_FORK_SERVER },
		},
	};
	for (i = 0; i < sizeof(program->build_id.id); i++)
		program->build_id.id[i] = (uint8_t)i;
}

static void
put(const struct tree *tree, const char *name, const void *data, size_t len)
{
	tree_write(tree, name, data, len);
	assert_int_equal(fchmodat(tree->fd, name, 0700, 0), 0);
}

static void
check_refused(const struct tree *tree, const char *name, const char *words)
{
	struct target_info info;
	struct error err = { 0 };
	enum status status = target_check(tree_path(tree, name), &info, &err);

	row_check(status == E_TARGET, "%s", words);
	row_check(err.code == E_TARGET, "%s", words);
	if (!strstr(err.text, words))
		print_error("%s\n", err.text);
	row_check(strstr(err.text, words) != NULL, "%s", words);
	row_check(strstr(err.text, tree_path(tree, name)) != NULL, "%s", words);
	row_check(info.fd == -1, "%s", words);
}

static void
test_good(void **state)
{
	const struct tree *tree = *state;
	struct program program;
	struct target_info info;
	struct error err = { 0 };
	char old[4096];

	program_init(&program);
	put(tree, "t", &program, sizeof(program));
	assert_non_null(getcwd(old, sizeof(old)));
	assert_int_equal(chdir(tree->path), 0);
	assert_int_equal(target_check("./t", &info, &err), OK);
	assert_string_equal(info.path, tree_path(tree, "t"));
	assert_string_equal(info.name, "t");
	assert_true(info.has_build_id);
	assert_string_equal(info.id,
		"000102030405060708090a0b0c0d0e0f10111213");
	assert_int_equal(info.features, NOTE_FEATURE_FORK_SERVER);
	assert_true(fcntl(info.fd, F_GETFD) & FD_CLOEXEC);
	target_info_clear(&info);
	assert_int_equal(info.fd, -1);
	target_info_clear(&info);

	/* A link is what the user rebuilds: its name is kept. */
	assert_int_equal(symlink("t", "link"), 0);
	assert_int_equal(target_check("link", &info, &err), OK);
	assert_string_equal(info.path, tree_path(tree, "link"));
	target_info_clear(&info);
	assert_int_equal(chdir(old), 0);
}

static void
test_no_build_id(void **state)
{
	const struct tree *tree = *state;
	struct program program;
	struct target_info info;
	char hex[SHA256_HEX_SIZE];

	program_init(&program);
	program.build_id.head.n_type = 77;
	put(tree, "t", &program, sizeof(program));
	assert_int_equal(target_check(tree_path(tree, "t"), &info, NULL), OK);
	assert_false(info.has_build_id);
	sha256_name(&program, sizeof(program), hex);
	assert_string_equal(info.id, hex);
	target_info_clear(&info);
}

static void
test_refused_files(void **state)
{
	const struct tree *tree = *state;

	check_refused(tree, "missing", "does not exist");
	tree_folder(tree, "folder");
	check_refused(tree, "folder", "is a directory");
	tree_text(tree, "plain", "x");
	check_refused(tree, "plain", "not executable");
	check_refused(tree, "plain/t", "does not exist");
	assert_int_equal(mkfifoat(tree->fd, "fifo", 0700), 0);
	check_refused(tree, "fifo", "not a regular file");
	assert_int_equal(symlinkat("nowhere", tree->fd, "link"), 0);
	check_refused(tree, "link", "does not exist");
	put(tree, "empty", "", 0);
	check_refused(tree, "empty", "is empty");
	put(tree, "short", "#!", 2);
	check_refused(tree, "short", "is a script");
	put(tree, "text", "hello", 5);
	check_refused(tree, "text", "no ELF file");
	put(tree, "magic", ELFMAG, 4);
	check_refused(tree, "magic", "cut off");
}

/* A script, and what its message says before and behind the test's folder. */
static const struct {
	const char *text, *before, *behind;
} scripts[] = {
	{ "#!/bin/sh -e\nexit\n",
		"/t is a script: name its interpreter as the target, and the "
		"script as its first argument: sh ",
		"/t" },
	{ "#!/usr/bin/env -S python3 -u\n", ": python3 ", "/t" },
	{ "#! /bin/bash\n\n# t - temporary wrapper script for .libs/t\n#\n",
		"/t is libtool's wrapper of ",
		"/.libs/t: configure with --disable-shared, or fuzz that "
		"program with the folders of its libraries in "
		"LD_LIBRARY_PATH" },
	{ "#!/bin/sh\n# temporary wrapper script for \033[31m/x\r\n",
		" wrapper of ", "/\\x1b[31m/x\\r: configure" },
	{ "#!/bin/sh\n# temporary wrapper script for ", ": sh ", "/t" },
	{ "#!/bin/sh\n# temporary wrapper script for \n", ": sh ", "/t" },
};

static void
test_scripts(void **state)
{
	const struct tree *tree = *state;
	char words[4096];

	for (size_t i = 0; i < sizeof(scripts) / sizeof(*scripts); i++) {
		put(tree, "t", scripts[i].text, strlen(scripts[i].text));
		snprintf(words, sizeof(words), "%s%s%s", scripts[i].before,
			tree->path, scripts[i].behind);
		check_refused(tree, "t", words);
	}
}

/* An interpreter needs the path of a script that the shell finds. */
static void
test_script_of_path(void **state)
{
	const struct tree *tree = *state;
	char *path = xstrdup(getenv("PATH")), words[4096];
	struct target_info info;
	struct error err = { 0 };

	put(tree, "a-script-of-path", "#!/bin/sh\n", 10);
	assert_int_equal(setenv("PATH", tree->path, 1), 0);
	assert_int_equal(target_check("a-script-of-path", &info, &err),
		E_TARGET);
	assert_int_equal(setenv("PATH", path, 1), 0);
	free(path);
	snprintf(words, sizeof(words), ": sh %s/a-script-of-path", tree->path);
	assert_non_null(strstr(err.text, words));
}

static void
test_empty_name(void **state)
{
	struct target_info info;
	struct error err = { 0 };

	assert_int_equal(target_check("", &info, &err), E_TARGET);
	assert_non_null(strstr(err.text, "empty name"));
}

/* One change to a valid program, and the message for it. */
struct change {
	const char *words;
	size_t offset;
	unsigned size;
	uint64_t value;
};

#define FIELD(member) \
	offsetof(struct program, member), \
		sizeof(((struct program *)NULL)->member)

/* clang-format off */
static const struct change changes[] = {
	{ "is built for", FIELD(head.e_machine), OTHER_MACHINE },
	{ "32-bit x86", FIELD(head.e_machine), EM_386 },
	{ "another processor", FIELD(head.e_machine), 0x7fff },
	{ "(32-bit)", FIELD(head.e_ident[EI_CLASS]), ELFCLASS32 },
	{ "is built for", FIELD(head.e_ident[EI_DATA]), ELFDATA2MSB },
	{ "an object file", FIELD(head.e_type), ET_REL },
	{ "a core dump", FIELD(head.e_type), ET_CORE },
	{ "unknown kind", FIELD(head.e_type), 99 },
	{ "cut off or damaged", FIELD(head.e_phnum), 0 },
	{ "cut off or damaged", FIELD(head.e_phnum), 0xffff },
	{ "cut off or damaged", FIELD(head.e_phnum), 9 },
	{ "cut off or damaged", FIELD(head.e_phentsize), 1 },
	{ "cut off or damaged", FIELD(head.e_phoff), UINT64_MAX },
	{ "cut off or damaged", FIELD(head.e_phoff), UINT64_MAX - 100 },
	{ "cut off or damaged", FIELD(head.e_phoff), sizeof(struct program) },
	{ "cut off or damaged", FIELD(segments[0].p_filesz), UINT64_MAX },
	{ "cut off or damaged", FIELD(segments[1].p_filesz), UINT64_MAX },
	{ "cut off or damaged", FIELD(segments[1].p_offset), UINT64_MAX },
	{ "not built with cfuzz-cc", FIELD(segments[1].p_filesz), 0 },
	{ "not built with cfuzz-cc", FIELD(segments[1].p_filesz), 13 },
	{ "not built with cfuzz-cc", FIELD(segments[1].p_type), PT_NULL },
	{ "not built with cfuzz-cc", FIELD(build_id.head.n_namesz), UINT32_MAX },
	{ "not built with cfuzz-cc", FIELD(build_id.head.n_namesz), UINT32_MAX - 2 },
	{ "not built with cfuzz-cc", FIELD(build_id.head.n_descsz), UINT32_MAX },
	{ "not built with cfuzz-cc", FIELD(build_id.head.n_descsz), 1000 },
	{ "not built with cfuzz-cc", FIELD(own.head.n_descsz), 4 },
	{ "not built with cfuzz-cc", FIELD(own.head.n_descsz), 9 },
	{ "not built with cfuzz-cc", FIELD(own.head.n_type), 1 },
	{ "not built with cfuzz-cc", FIELD(own.name[0]), 'd' },
	{ "protocol 77, this one speaks", FIELD(own.note.wire_version), 77 },
};
/* clang-format on */

static void
test_changes(void **state)
{
	const struct tree *tree = *state;
	struct program program;
	size_t i;

	for (i = 0; i < sizeof(changes) / sizeof(*changes); i++) {
		program_init(&program);
		memcpy((char *)&program + changes[i].offset, &changes[i].value,
			changes[i].size);
		put(tree, "t", &program, sizeof(program));
		check_refused(tree, "t", changes[i].words);
	}
}

/* Every length, and every byte with two other values, gives an answer. */
static void
test_hostile(void **state)
{
	const struct tree *tree = *state;
	struct program program;
	struct target_info info;
	size_t i;

	program_init(&program);
	for (i = 0; i < sizeof(program); i++) {
		put(tree, "t", &program, i);
		assert_int_equal(target_check(tree_path(tree, "t"), &info,
					 NULL),
			E_TARGET);
	}
	for (i = 0; i < 2 * sizeof(program); i++) {
		program_init(&program);
		((uint8_t *)&program)[i / 2] ^= i % 2 ? 0xff : 0x40;
		put(tree, "t", &program, sizeof(program));
		if (target_check(tree_path(tree, "t"), &info, NULL) == OK)
			target_info_clear(&info);
	}
}

/* Notes aligned to 8, as linkers make them for .note.gnu.property. */
static void
test_aligned_notes(void **state)
{
	const struct tree *tree = *state;
	struct {
		struct program program;
		Elf64_Nhdr head;
		char name[12]; /* padded to 8 together with the header */
		struct note note;
	} file;
	struct target_info info;

	memset(&file, 0, sizeof(file));
	program_init(&file.program);
	file.program.own.head.n_type = 1;
	file.program.segments[0].p_type = PT_NOTE;
	file.program.segments[0].p_offset = sizeof(struct program);
	file.program.segments[0].p_filesz =
		sizeof(file) - sizeof(struct program);
	file.program.segments[0].p_align = 8;
	file.head = (Elf64_Nhdr){ sizeof(NOTE_OWNER), sizeof(struct note),
		NOTE_TYPE };
	strcpy(file.name, NOTE_OWNER);
	file.note = (struct note){ WIRE_VERSION, 0 };
	put(tree, "t", &file, sizeof(file));
	assert_int_equal(target_check(tree_path(tree, "t"), &info, NULL), OK);
	target_info_clear(&info);
}

/* A real program, this test: not a target, but parsed without error. */
static void
test_real_program(void **state)
{
	struct target_info info;
	struct error err = { 0 };

	assert_int_equal(target_check("/proc/self/exe", &info, &err), E_TARGET);
	assert_non_null(
		strstr(err.text, "looks like a target of another fuzzer"));
}

/* The entry point's name of another fuzzer, at any offset. */
static void
test_other_fuzzer(void **state)
{
	static const char name[] = "LLVMFuzzerTestOneInput";
	static uint8_t file[200000];
	static const size_t places[] = { 500, 65500, 65526, 65527, 65535, 65536,
		131040, sizeof(file) - sizeof(name) };
	struct program program;

	program_init(&program);
	program.own.name[0] = 'd';
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		memset(file, 0, sizeof(file));
		memcpy(file, &program, sizeof(program));
		memcpy(file + places[i], name, sizeof(name));
		put(*state, "t", file, sizeof(file));
		check_refused(*state, "t", "cfuzz-cc -fsanitize=fuzzer -o");
		file[places[i]] = 'l';
		put(*state, "t", file, sizeof(file));
		check_refused(*state, "t", "build it with cfuzz-cc");
	}
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, tree_open, tree_close)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_good),
		TEST(test_no_build_id),
		TEST(test_refused_files),
		TEST(test_scripts),
		TEST(test_script_of_path),
		TEST(test_empty_name),
		TEST(test_changes),
		TEST(test_hostile),
		TEST(test_aligned_notes),
		TEST(test_real_program),
		TEST(test_other_fuzzer),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
