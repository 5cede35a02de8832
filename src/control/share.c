/* share: see share.h. */
#include "control/share.h"

#include <errno.h>
#include <grp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "base/xmalloc.h"
#include "control/peer.h"

static bool
share_parse_number(const char *name, gid_t *group)
{
	unsigned long long n;
	char *end;

	if (name[strspn(name, "0123456789")] != '\0')
		return false;
	errno = 0;
	n = strtoull(name, &end, 10);
	*group = (gid_t)n;
	return errno == 0 && n < UINT32_MAX;
}

/* Only root may give a file to a group that it is not in. */
static bool
share_is_member(gid_t group)
{
	int n = getgroups(0, NULL);
	bool member = geteuid() == 0 || getegid() == group;
	gid_t *groups;

	if (member || n <= 0)
		return member;
	groups = xcalloc((size_t)n, sizeof(*groups));
	n = getgroups(n, groups);
	for (int i = 0; i < n; i++)
		member = member || groups[i] == group;
	free(groups);
	return member;
}

enum status
share_find_group(const char *name, gid_t *group, struct error *err)
{
	const struct group *entry;
	char shown[128];

	*group = PEER_NO_GROUP;
	if (name[0] == '\0')
		return OK;
	text_clean_string(name, shown, sizeof(shown));
	entry = getgrnam(name);
	if (entry != NULL)
		*group = entry->gr_gid;
	else if (!share_parse_number(name, group))
		return error_set(err, E_USAGE,
			"--share-group: there is no group %s", shown);
	if (share_is_member(*group))
		return OK;
	return error_set(err, E_USAGE,
		"--share-group: you are not in the group %s; a new membership "
		"counts from the next login",
		shown);
}

static bool
share_may_enter(const char *folder, gid_t group, bool *by_group)
{
	struct stat st;

	if (stat(folder, &st) != 0)
		return true; /* whatever is wrong, it is not the mode */
	*by_group = st.st_gid == group;
	return (st.st_mode & (*by_group ? S_IXGRP : S_IXOTH)) != 0;
}

bool
share_find_obstacle(const char *path, gid_t group, char *folder, size_t size,
	bool *by_group)
{
	char *whole = realpath(path, NULL), *slash = whole;
	bool enters = true;

	if (whole == NULL)
		return false;
	while (enters && slash != NULL) {
		size_t len = slash == whole ? 1 : (size_t)(slash - whole);

		snprintf(folder, size, "%.*s", (int)len, whole);
		enters =
			len >= size || share_may_enter(folder, group, by_group);
		slash = strchr(slash + 1, '/');
	}
	free(whole);
	return !enters;
}
