/*
 * show_input: an input of a corpus, or any file, as JSON. Also finds campaigns
 * that know its bytes.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/dir.h"
#include "base/fd.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/xmalloc.h"
#include "control/json_text.h"
#include "shared/campaign_folder.h"
#include "tools/show_private.h"

#define SHOW_CAMPAIGNS_MAX 64

/* The bytes to search for. */
struct search {
	const uint8_t *data;
	size_t len;
	char name[SHA256_HEX_SIZE];
	json_t *known; /* "known": an array */
};

static bool
show_is_file(int dirfd, const char *name, const struct search *s)
{
	uint64_t size;
	uint8_t *data;
	size_t len;
	bool same;

	if (!file_size_at(dirfd, name, &size) || size != s->len ||
		file_read_at(dirfd, name, s->len, &data, &len, NULL) != OK)
		return false;
	same = len == s->len && memcmp(data, s->data, len) == 0;
	free(data);
	return same;
}

static void
show_add_known(struct search *s, const char *output, const char *what,
	const char *name)
{
	json_array_append_new(s->known,
		json_pack("{s:o, s:s, s:o}", "output", json_text_new(output),
			"as", what, "name", json_text_new(name)));
}

static void
show_search_finding(struct search *s, const char *output,
	const struct archive_finding *f)
{
	char *path = xasprintf("%s/%s", output, f->folder);
	char more[5 + SHA256_HEX_SIZE];
	int fd;

	snprintf(more, sizeof(more), "more/%.16s", s->name);
	if (dir_open_at(AT_FDCWD, path, 0, &fd, NULL) == OK) {
		if (show_is_file(fd, "input", s) ||
			show_is_file(fd, "minimized", s) ||
			show_is_file(fd, more, s))
			show_add_known(s, output, "finding", f->view.id);
		fd_close(&fd);
	}
	free(path);
}

/* Searches one campaign. Names are hashes, so one path per folder is enough. */
static void
show_search(struct search *s, const char *output)
{
	static const char *const places[][2] = { { "corpus", "corpus" },
		{ "suspects", "suspect" } };
	struct archive_findings findings;
	char name[SHA256_HEX_SIZE + 16];
	size_t i;
	int fd;

	if (archive_read_findings(output, &findings, NULL) != OK)
		return;
	for (i = 0; i < findings.n; i++)
		show_search_finding(s, output, &findings.items[i]);
	archive_findings_clear(&findings);
	if (dir_open_at(AT_FDCWD, output, 0, &fd, NULL) != OK)
		return;
	for (i = 0; i < 2; i++) {
		snprintf(name, sizeof(name), "%s/%.16s", places[i][0], s->name);
		if (show_is_file(fd, name, s))
			show_add_known(s, output, places[i][1],
				name + strlen(places[i][0]) + 1);
	}
	fd_close(&fd);
}

/* Searches the file's campaign, or all campaigns in this folder. */
static void
show_search_all(struct search *s, const char *own)
{
	struct dir_names names;
	size_t i, seen = 0;
	char *path;

	if (own != NULL) {
		show_search(s, own);
		return;
	}
	(void)!dir_list_at(AT_FDCWD, ".", &names, NULL);
	for (i = 0; i < names.n && seen < SHOW_CAMPAIGNS_MAX; i++) {
		path = xasprintf("./%s", names.items[i]);
		if (campaign_folder_is(path)) {
			show_search(s, names.items[i]);
			seen++;
		}
		free(path);
	}
	dir_names_clear(&names);
}

static json_t *
show_lineage(const char *output, const char *name, bool *cut)
{
	struct archive_lineage lineage;
	json_t *list = json_array();
	size_t i;

	archive_read_lineage(output, name, &lineage);
	for (i = 0; i < lineage.n; i++) {
		const struct archive_ancestor *a = &lineage.items[i];

		json_array_append_new(list,
			json_pack("{s:s, s:b, s:f, s:o, s:o, s:o, s:b}", "name",
				a->name, "minimized", a->minimized, "at_s",
				a->at_s, "len", json_count_new(a->len), "bits",
				json_count_new(a->bits), "generation",
				json_count_new(a->generation), "unstable",
				a->unstable));
	}
	*cut = lineage.cut;
	archive_lineage_clear(&lineage);
	return list;
}

json_t *
show_input(const char *output, const char *name, const char *path,
	struct error *err)
{
	struct search search = { 0 };
	json_t *object;
	uint8_t *data;
	bool cut = false;

	if (file_read(path, SHOW_FILE_MAX, &data, &search.len, err) != OK)
		return NULL;
	search.data = data;
	search.known = json_array();
	sha256_name(data, search.len, search.name);
	show_search_all(&search, output);
	object = json_pack("{s:s, s:o, s:s, s:s, s:o, s:o, s:o}", "type",
		"input", "path", json_text_new(path), "name", name, "sha256",
		search.name, "len", json_count_new(search.len), "known",
		search.known, "lineage",
		output != NULL && name[0] != '\0'
			? show_lineage(output, name, &cut)
			: json_array());
	json_object_set_new(object, "lineage_cut", json_boolean(cut));
	show_put_data(object, data, search.len);
	free(data);
	return object;
}
