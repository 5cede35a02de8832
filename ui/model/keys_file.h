/*
 * keys_file: the user's key bindings, from a JSON file.
 *
 * {"common": {"p": "toggle-pause", "F5": "redraw", "x": null}, "findings":
 * {"F6": "replay"}}: contexts, keys and commands are those of the table in
 * ui/term/keys.h; null removes a key. Keys that the file does not name keep
 * their commands.
 */
#ifndef CFUZZ_UI_MODEL_KEYS_FILE_H
#define CFUZZ_UI_MODEL_KEYS_FILE_H

#include <stddef.h>

#include "shared/status.h"
#include "ui/model/keymap.h"

/* `file` is for messages: "keys.json:3:5: findings: …". NULL on error. */
struct keymap *keys_file_parse(const char *file, const char *text, size_t len,
	struct error *err) MUST_CHECK;

/*
 * Uses the keys of the file at `path`. With "" as the path, uses keys.json in
 * the user's configuration folder, or the default keys without that file.
 * E_FORMAT: the file is invalid; others as file_read(). On failure the keys
 * stay as they were.
 */
enum status keys_load(const char *path, struct error *err) MUST_CHECK;

/* Uses the default keys again. */
void keys_reset(void);

#endif
