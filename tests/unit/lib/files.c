/* files: see files.h. */
#include "lib/files.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "lib/rows.h"

bool
files_allow(unsigned n)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= n)
		return true;
	limit.rlim_cur = n;
	if (limit.rlim_max >= n && setrlimit(RLIMIT_NOFILE, &limit) == 0)
		return true;
	printf("`ulimit -Hn` is %llu, %u are needed\n",
		(unsigned long long)limit.rlim_max, n);
	return false;
}

char *
files_read(const char *path, size_t *len)
{
	FILE *file = fopen(path, "rb");
	size_t n = 0, room = 4096;
	char *data = NULL;

	if (file == NULL)
		return NULL;
	do {
		room *= 2;
		data = realloc(data, room);
		assert_non_null(data);
		n += fread(data + n, 1, room - n, file);
	} while (n == room);
	fclose(file);
	data = realloc(data, n + 1);
	assert_non_null(data);
	data[n] = '\0';
	if (len != NULL)
		*len = n;
	return data;
}
