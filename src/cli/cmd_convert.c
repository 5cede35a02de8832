/*
 * cmd_convert: `cfuzz convert` converts between raw input files and corpus
 * files with the text of values, "go test fuzz v1".
 *
 * A raw file has no types, so it becomes one value of bytes, and only a text
 * with one value of bytes or characters becomes a raw file.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/dir.h"
#include "base/fd.h"
#include "base/file.h"
#include "base/text.h"
#include "base/xmalloc.h"
#include "cli/cli.h"
#include "cli/tool.h"
#include "shared/values/decode.h"
#include "shared/values/encode.h"
#include "shared/values/tuple.h"

#define CONVERT_FILE_MAX ((size_t)1 << 30)

static const char help[] =
	"usage: cfuzz convert FROM TO\n"
	"       cfuzz convert --raw FROM TO\n\n"
	"Converts a raw input to a corpus file \"go test fuzz v1\" with one "
	"value,\n[]byte(...); with --raw, converts a corpus file to a raw "
	"input. FROM is a file\nor a folder; the files of a folder are "
	"converted to files of the same names in\nthe folder TO. Files that "
	"cannot be converted are skipped, counted, and listed\nwith the "
	"reason. Existing files are not overwritten.\n\n"
	"      --raw                 Convert corpus files to raw inputs; each "
	"must have\n"
	"                            one value of bytes or text.\n\n"
	"Exit status: 0 all files are converted, or skipped in a folder, 2 no "
	"file could\nbe converted, 3 a result could not be written.\n";

struct convert {
	bool raw;
	int from, to; /* folders */
	uint64_t converted, skipped;
};

static enum status
convert_encode(const uint8_t *data, size_t len, uint8_t **out, size_t *out_len,
	struct error *err)
{
	struct value value = { .type = VALUE_BYTES };
	size_t cap;

	value.data = (uint8_t *)(uintptr_t)data;
	value.len = len;
	cap = encode_bound(&value, 1);
	*out = xmalloc(cap);
	return encode_values(&value, 1, (char *)*out, cap, out_len, err);
}

static enum status
convert_decode(const uint8_t *data, size_t len, uint8_t **out, size_t *out_len,
	struct error *err)
{
	struct value values[TUPLE_MAX];
	uint8_t *room = xmalloc(len + 1);
	size_t n = 0;
	enum status status = decode_values((const char *)data, len, values,
		TUPLE_MAX, &n, room, err);

	if (status == OK && (n != 1 || !value_type_is_bytes(values[0].type)))
		status = error_set(err, E_FORMAT,
			n == 1 ? "its value is neither bytes nor text"
			       : "it has %zu values; a raw file holds one",
			n);
	if (status == OK) {
		*out = xmemdup(values[0].data, values[0].len);
		*out_len = values[0].len;
	}
	free(room);
	return status;
}

/* Checked before anything is written, so that no file is lost. */
static enum status
convert_check_free(int dirfd, const char *name, struct error *err)
{
	struct stat st;

	if (fstatat(dirfd, name, &st, AT_SYMLINK_NOFOLLOW) == 0)
		return error_set(err, E_EXISTS,
			"%s exists already, and no file is overwritten", name);
	return OK;
}

static enum status
convert_write(int dirfd, const char *name, const uint8_t *data, size_t len,
	struct error *err)
{
	enum status status = convert_check_free(dirfd, name, err);

	if (status == OK)
		status = file_write_atomic_at(dirfd, name, data, len, 0, err);
	return status;
}

/* Replaces *data by the converted bytes. */
static enum status
convert_bytes(const struct convert *c, uint8_t **data, size_t *len,
	struct error *err)
{
	uint8_t *out = NULL;
	size_t out_len = 0;
	enum status status = c->raw
		? convert_decode(*data, *len, &out, &out_len, err)
		: convert_encode(*data, *len, &out, &out_len, err);

	free(*data);
	*data = out;
	*len = out_len;
	return status;
}

static int
convert_one(const struct convert *c, const char *from, const char *to)
{
	struct error err = { 0 };
	uint8_t *data = NULL;
	size_t len = 0;
	int status = 0;

	if (file_read(from, CONVERT_FILE_MAX, &data, &len, &err) != OK)
		status = cli_fail(EXIT_SETUP, "%s", err.text);
	else if (convert_bytes(c, &data, &len, &err) != OK)
		status = cli_fail(EXIT_SETUP, "%s: %s", from, err.text);
	else if (convert_write(AT_FDCWD, to, data, len, &err) != OK)
		status = cli_fail(err.code == E_EXISTS ? EXIT_SETUP : EXIT_LOST,
			"%s", err.text);
	free(data);
	return status;
}

static void
convert_skip(struct convert *c, const char *name, const struct error *why)
{
	char shown[256], text[1024];

	text_clean_string(name, shown, sizeof(shown));
	text_clean_string(why->text, text, sizeof(text));
	printf("skipped %s: %s\n", shown, text);
	c->skipped++;
}

/* False: the file could not be written, so the others will not be either. */
static bool
convert_entry(struct convert *c, const char *name, struct error *err)
{
	struct error why = { 0 };
	uint8_t *data = NULL;
	size_t len = 0;

	if (file_read_at(c->from, name, CONVERT_FILE_MAX, &data, &len, &why) !=
			OK ||
		convert_bytes(c, &data, &len, &why) != OK ||
		convert_check_free(c->to, name, &why) != OK) {
		convert_skip(c, name, &why);
	} else if (convert_write(c->to, name, data, len, err) != OK) {
		free(data);
		return false;
	} else {
		c->converted++;
	}
	free(data);
	return true;
}

static int
convert_all(struct convert *c, const struct dir_names *names, const char *to)
{
	struct error err = { 0 };
	bool written = true;
	int status = 0;

	for (size_t i = 0; i < names->n && written; i++)
		written = convert_entry(c, names->items[i], &err);
	printf("%llu converted, %llu skipped\n",
		(unsigned long long)c->converted,
		(unsigned long long)c->skipped);
	if (!written)
		status = cli_fail(EXIT_LOST, "cannot write into %s: %s", to,
			err.text);
	else if (c->converted == 0)
		status = cli_fail(EXIT_SETUP, "nothing could be converted");
	return status;
}

static int
convert_folder(struct convert *c, const char *from, const char *to)
{
	struct dir_names names = { 0 };
	struct error err = { 0 };
	int status;

	if (dir_open_at(AT_FDCWD, from, 0, &c->from, &err) != OK ||
		dir_list(c->from, &names, &err) != OK)
		status = cli_fail(EXIT_SETUP, "%s", err.text);
	else if (names.n == 0)
		status = cli_fail(EXIT_SETUP,
			"%s is an empty folder: there is nothing to convert",
			from);
	else if (dir_create_at(AT_FDCWD, to, DIR_PARENTS, &err) != OK ||
		dir_open_at(AT_FDCWD, to, 0, &c->to, &err) != OK)
		status = cli_fail(EXIT_LOST, "%s", err.text);
	else
		status = convert_all(c, &names, to);
	dir_names_clear(&names);
	fd_close(&c->from);
	fd_close(&c->to);
	return status;
}

static enum exit_status
convert_run(struct tool *tool, struct error *err)
{
	struct convert c = { .raw = tool->flags != 0, .from = -1, .to = -1 };
	const char *from = tool->operands[0], *to = tool->operands[1];

	(void)err; /* each error is reported with its file */
	return dir_exists(from) ? convert_folder(&c, from, to)
				: convert_one(&c, from, to);
}

const struct tool_command cli_convert = {
	.help = help,
	.options = TOOL_OPTIONS(OPT_HELP),
	.least = 2,
	.most = 2,
	.flags = (const char *const[]){ "--raw", NULL },
	.missing = "name a source and a destination: cfuzz convert FROM TO",
	.run = convert_run,
};
