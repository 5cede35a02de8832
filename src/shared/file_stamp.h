/*
 * file_stamp: what tells a file from another one that takes its place, as text
 * for the environment of a process.
 */
#ifndef CFUZZ_SHARED_FILE_STAMP_H
#define CFUZZ_SHARED_FILE_STAMP_H

#include <stdio.h>
#include <sys/stat.h>

#define FILE_STAMP_SIZE 96

static inline void
file_stamp(const struct stat *st, char text[FILE_STAMP_SIZE])
{
	(void)snprintf(text, FILE_STAMP_SIZE, "%llx:%llx:%llx:%lld.%09ld",
		(unsigned long long)st->st_dev, (unsigned long long)st->st_ino,
		(unsigned long long)st->st_size, (long long)st->st_mtim.tv_sec,
		st->st_mtim.tv_nsec);
}

#endif
