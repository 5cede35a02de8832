/* campaign_folder: see campaign_folder.h. */
#include "shared/campaign_folder.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The path itself and four folders: OUT/crashes/x/more/y. */
#define CAMPAIGN_FOLDER_ABOVE 5

bool
campaign_folder_is(const char *folder)
{
	int fd = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
	struct stat st;
	bool has;

	if (fd < 0)
		return false;
	has = fstatat(fd, CAMPAIGN_FOLDER_JOURNAL, &st, AT_SYMLINK_NOFOLLOW) ==
			0 &&
		S_ISREG(st.st_mode);
	close(fd);
	return has;
}

char *
campaign_folder_of(const char *path)
{
	char *folder = realpath(path, NULL), *slash;
	int i;

	for (i = 0; folder != NULL && i < CAMPAIGN_FOLDER_ABOVE; i++) {
		if (campaign_folder_is(folder))
			return folder;
		slash = strrchr(folder, '/');
		if (slash == NULL || slash == folder)
			break;
		*slash = '\0';
	}
	free(folder);
	return NULL;
}
