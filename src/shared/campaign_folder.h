/*
 * campaign_folder: finds the output directory that a file belongs to.
 *
 * A file of an output directory is an input as it is. One from elsewhere may be
 * the text of values, see shared/values/decode.h.
 */
#ifndef CFUZZ_SHARED_CAMPAIGN_FOLDER_H
#define CFUZZ_SHARED_CAMPAIGN_FOLDER_H

#include <stdbool.h>

#define CAMPAIGN_FOLDER_JOURNAL "journal.jsonl"

bool campaign_folder_is(const char *folder); /* has a journal */

/*
 * Returns the output directory of a path: the first folder with a journal among
 * the path itself and the four folders above it. A new absolute path from
 * malloc(); NULL: none.
 */
char *campaign_folder_of(const char *path);

#endif
