/* min_files: see min_files.h. */
#include "tools/min_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/dir.h"
#include "base/file.h"
#include "base/xmalloc.h"
#include "shared/campaign_folder.h"
#include "worker/inputs/input_text.h"

/* Finds the paths of input and output; a folder is a finding's. */
static enum status
min_find_files(struct min_files *m, const char *path, const char *output,
	struct error *err)
{
	struct stat st;
	bool folder = dir_exists(path);
	struct error why = { 0 };

	m->is_foreign = !folder && m->archive == NULL;
	m->input_path = folder ? xasprintf("%s/input", path) : xstrdup(path);
	if (folder && stat(m->input_path, &st) != 0)
		return error_set(err, E_USAGE,
			"%s is a folder without an input: name a file, or the "
			"folder of a finding",
			path);
	if (output != NULL) {
		m->output_path = xstrdup(output);
		return OK;
	}
	if (!folder)
		return error_set(err, E_USAGE,
			"the file for the smaller input is missing: -o FILE");
	m->output_path = xasprintf("%s/minimized", path);
	m->info_path = xasprintf("%s/crash.json", path);
	m->in_finding = true;
	if (m->archive != NULL &&
		archive_lock(m->archive, &m->lock_fd, &why) != OK)
		error_set(err, why.code, "%s, or write elsewhere: -o FILE",
			why.text);
	return err->code;
}

/* Checks write access before any work is done. */
static enum status
min_check_folder(const struct min_files *m, struct error *err)
{
	char *folder = xstrdup(m->output_path), *slash = strrchr(folder, '/');
	int errnum = 0;

	if (slash != NULL)
		slash[1] = '\0';
	if (access(slash != NULL ? folder : ".", W_OK | X_OK) != 0)
		errnum = errno;
	free(folder);
	if (errnum != 0)
		error_set(err, E_IO, "cannot write %s: %s", m->output_path,
			strerror(errnum));
	return err->code;
}

/* The output may replace a regular file. A link in a finding's folder may be
 * anybody's work; one that the user names leads where the user wants. */
static enum status
min_check_kind(const struct min_files *m, const struct stat *out,
	struct error *err)
{
	if (S_ISREG(out->st_mode))
		return OK;
	if (!m->in_finding)
		return error_set(err, E_USAGE, "-o %s: not a regular file",
			m->output_path);
	return error_set(err, E_USAGE,
		"cannot write %s: it is %s; remove it, or name another file: "
		"-o FILE",
		m->output_path, file_kind(out->st_mode));
}

/* The output must not be the input, and its folder must be writable. */
static enum status
min_check_output(const struct min_files *m, struct error *err)
{
	struct stat in, out;

	if (fstatat(AT_FDCWD, m->output_path, &out,
		    m->in_finding ? AT_SYMLINK_NOFOLLOW : 0) != 0) {
		if (errno == ENOENT)
			return min_check_folder(m, err);
		return error_set(err, E_IO, "cannot write %s: %s",
			m->output_path, strerror(errno));
	}
	if (min_check_kind(m, &out, err) != OK)
		return err->code;
	if (stat(m->input_path, &in) == 0 && in.st_dev == out.st_dev &&
		in.st_ino == out.st_ino)
		return error_set(err, E_USAGE,
			"%s%s: this is the input file itself",
			m->in_finding ? "" : "-o ", m->output_path);
	return min_check_folder(m, err);
}

void
min_files_drop_earlier(struct min_files *m)
{
	free(m->earlier);
	m->earlier = NULL;
}

/* A finding's folder may hold the result of an earlier minimization. */
static void
min_read_earlier(struct min_files *m)
{
	if (m->lock_fd < 0 ||
		file_read_at(AT_FDCWD, m->output_path, m->len, &m->earlier,
			&m->earlier_len, NULL) != OK)
		return;
	if (m->earlier_len >= m->len)
		min_files_drop_earlier(m);
}

enum status
min_files_read(struct min_files *m, const char *path, const char *output,
	struct error *err)
{
	*m = (struct min_files){ .lock_fd = -1,
		.archive = campaign_folder_of(path) };
	if (min_find_files(m, path, output, err) != OK ||
		file_read(m->input_path, SETTINGS_MAX_LEN_MAX, &m->input,
			&m->len, err) != OK ||
		min_check_output(m, err) != OK)
		return err->code;
	m->file_len = m->len;
	min_read_earlier(m);
	return OK;
}

enum status
min_files_convert(struct min_files *m, const struct tuple_types *types,
	size_t max_len, struct error *err)
{
	enum status status = m->is_foreign
		? input_from_seed(types, &m->input, &m->len, max_len, err)
		: input_from_text(types, &m->input, &m->len, max_len, err);

	m->types = *types;
	if (status != OK)
		return error_wrap(err, "%s", m->input_path);
	if (m->earlier != NULL &&
		input_from_text(types, &m->earlier, &m->earlier_len, m->len,
			NULL) != OK)
		min_files_drop_earlier(m);
	return OK;
}

enum status
min_files_write(const struct min_files *m, const void *data, size_t len,
	struct error *err)
{
	const unsigned flags = FILE_FSYNC | FILE_FSYNC_DIR;
	struct input_text text;
	enum status status;

	input_text_init(&text, &m->types, data, len);
	status = m->in_finding
		? file_write_atomic_at(AT_FDCWD, m->output_path, text.data,
			  text.len, flags, err)
		: file_write(m->output_path, text.data, text.len, flags, err);
	input_text_clear(&text);
	return status;
}

void
min_files_clear(struct min_files *m)
{
	free(m->archive);
	archive_unlock(&m->lock_fd);
	free(m->input_path);
	free(m->output_path);
	free(m->info_path);
	free(m->input);
	free(m->earlier);
}
