/*
 * store_merge: merges a finding's folder into that of another finding.
 */
#include <stdio.h>

#include "store/store_private.h"
#include "worker/input_text.h"

#define STORE_NAME_LEN 16 /* digits of a sha256 */

void
store_merge(struct store *store, const char *folder, const char *into,
	const void *data, size_t len)
{
	struct store_folder *known = store_get_folder(store, into);
	char more[STORE_FOLDER_SIZE + 8], hex[SHA256_HEX_SIZE];
	char name[STORE_NAME_LEN + 1];
	bool keep;

	input_text_name(&store->types, data, len, hex);
	keep = store_note_input(known, store_name_number(hex));
	snprintf(name, sizeof(name), "%.*s", STORE_NAME_LEN, hex);
	snprintf(more, sizeof(more), "%s%s", into, keep ? "/more" : "");
	store_write_input(store,
		&(struct writer_file){
			.kind = WRITER_FINDING,
			.folder = more,
			.name = keep ? name : "",
			.other_name = keep ? hex : NULL,
			.keep = true,
			.retire = folder,
			.data = data,
			.len = keep ? len : 0,
		});
}
