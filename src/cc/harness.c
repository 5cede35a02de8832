/* harness: looks for the entry point of a target, see harness.h. */
#include "cc/harness.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fd.h"
#include "cc/library.h"
#include "cc/translate.h"

/* An archive starts with one of these, followed by its symbol index. */
#define MAGIC "!<arch>\n"
#define MAGIC_THIN "!<thin>\n"
#define MAGIC_LEN 8
#define MEMBER_LEN 60
#define MEMBER_SIZE_AT 48
#define MEMBER_SIZE_LEN 10

/*
 * Names in a target: its entry point, the header's typed one, or the function
 * that the target's own main() calls.
 */
static const char *const target_names[] = { TARGET_ENTRY, TARGET_TYPED,
	TARGET_DRIVER, "cfuzz.h\"", "cfuzz.h>", "__AFL_LOOP", "HF_ITER", NULL };

struct harness_file {
	const char *bytes;
	size_t len;
};

static bool
harness_map(struct harness_file *file, const char *path)
{
	struct stat st;
	int fd = fd_open_regular(path, &st);
	void *map = MAP_FAILED;

	if (fd < 0)
		return false;
	if (st.st_size > 0)
		map = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd,
			0);
	close(fd);
	if (map == MAP_FAILED)
		return false;
	file->bytes = map;
	file->len = (size_t)st.st_size;
	return true;
}

static void
harness_unmap(const struct harness_file *file)
{
	munmap((void *)file->bytes, file->len);
}

static bool
harness_is_archive(const struct harness_file *file)
{
	return file->len >= MAGIC_LEN + MEMBER_LEN &&
		(memcmp(file->bytes, MAGIC, MAGIC_LEN) == 0 ||
			memcmp(file->bytes, MAGIC_THIN, MAGIC_LEN) == 0);
}

/* A big-endian number of width bytes; 0 if there are fewer. */
static uint64_t
harness_number(const char *bytes, size_t len, size_t width)
{
	uint64_t number = 0;

	for (size_t i = 0; i < width && width <= len; i++)
		number = number << 8 | (unsigned char)bytes[i];
	return number;
}

static bool
harness_is(const char *name, size_t len, const char *entry)
{
	return len == strlen(entry) && memcmp(name, entry, len) == 0;
}

/*
 * The index is the member "/" (or "/SYM64/", with wider numbers): the number of
 * names, an offset for each, the names. Only whole names count: the name found
 * is passed on by -u, and the linker fails if no input defines it.
 */
static const char *
harness_in_index(const struct harness_file *file)
{
	const char *member = file->bytes + MAGIC_LEN;
	const char *index = member + MEMBER_LEN, *end, *name;
	size_t width = strncmp(member, "/SYM64/", 7) == 0 ? 8 : 4;
	size_t rest = file->len - MAGIC_LEN - MEMBER_LEN, len;
	char size[MEMBER_SIZE_LEN + 1] = "";
	uint64_t n;

	if (width == 4 && strncmp(member, "/ ", 2) != 0)
		return NULL;
	memcpy(size, member + MEMBER_SIZE_AT, MEMBER_SIZE_LEN);
	len = strtoul(size, NULL, 10);
	len = len < rest ? len : rest;
	n = harness_number(index, len, width);
	if (n >= len / width)
		return NULL;
	end = index + len;
	for (name = index + (n + 1) * width; name < end;) {
		size_t name_len = strnlen(name, (size_t)(end - name));

		if (harness_is(name, name_len, TARGET_ENTRY))
			return TARGET_ENTRY;
		if (harness_is(name, name_len, TARGET_TYPED))
			return TARGET_TYPED;
		name += name_len + 1;
	}
	return NULL;
}

static bool
harness_contains(const struct harness_file *file, const char *name)
{
	return memmem(file->bytes, file->len, name, strlen(name)) != NULL;
}

static const char *
harness_in_text(const struct harness_file *file)
{
	for (size_t i = 0; target_names[i] != NULL; i++)
		if (harness_contains(file, target_names[i]))
			return target_names[i];
	return NULL;
}

static const char *
harness_in_path(const char *path, bool archives_only)
{
	struct harness_file file;
	const char *found = NULL;

	if (!harness_map(&file, path))
		return NULL;
	if (harness_is_archive(&file))
		found = harness_in_index(&file);
	else if (!archives_only)
		found = harness_in_text(&file);
	harness_unmap(&file);
	return found;
}

static const char *
harness_in_any(const struct compile_command *command, bool archives_only)
{
	struct arguments libraries = { 0 };
	const char *found = NULL;

	for (size_t i = 0; i < command->n_items && found == NULL; i++)
		if (command->items[i].flag == NULL)
			found = harness_in_path(command->items[i].name,
				archives_only);
	library_list(command, &libraries);
	for (size_t i = 0; i < libraries.n && found == NULL; i++)
		found = harness_in_path(libraries.v[i], archives_only);
	arguments_clear(&libraries);
	return found;
}

const char *
harness_in_archive(const struct compile_command *command)
{
	return harness_in_any(command, true);
}

bool
harness_in_command(const struct compile_command *command)
{
	return harness_in_any(command, false) != NULL;
}

bool
harness_is_function(const struct compile_command *command)
{
	bool found = false;

	for (size_t i = 0; i < command->n_items && !found; i++) {
		struct harness_file file;

		if (command->items[i].flag != NULL ||
			!harness_map(&file, command->items[i].name))
			continue;
		found = !harness_is_archive(&file) &&
			harness_contains(&file, TARGET_ENTRY);
		harness_unmap(&file);
	}
	return found;
}
