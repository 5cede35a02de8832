/*
 * archive_config_private: the parts of archive_config.
 *
 *	archive_config.c		arguments, limits, isolation
 *	archive_config_folder.c		the working directory
 */
#ifndef CFUZZ_TOOLS_ARCHIVE_CONFIG_PRIVATE_H
#define CFUZZ_TOOLS_ARCHIVE_CONFIG_PRIVATE_H

#include "tools/archive_config.h"

/*
 * The arguments of the campaign, and files that its target opens, are relative
 * to its working directory. If that was moved or copied with all it has, it is
 * where the target is now: the output directory alone may be anywhere. program:
 * the target's path in the campaign, or NULL.
 */
void archive_take_folder(struct archive_config *a, const char *output,
	const char *program);
/* The file of the user's --input-file is the one that the target opens. */
void archive_take_input_file(struct archive_config *a);
/* Says where the target works if not in our directory. args: behind the arguments.
 */
void archive_tell_folder(const struct archive_config *a, bool args, char *buf,
	size_t size);
/* May inputs of both run in one process? What belongs to no campaign runs in the
 * folder of one. */
bool archive_same_folder(const struct archive_config *a,
	const struct archive_config *b);

#endif
