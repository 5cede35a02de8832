/*
 * keys_file: keys that the user chose, from a JSON file.
 *
 * {"common": {"p": "toggle-pause", "F5": "redraw", "x": null}, "findings":
 * {"F6": "replay"}}: contexts, keys and commands are those of the table in
 * keys.h; null takes a key away. What is not named stays as it is.
 */
#ifndef CFUZZ_UI_MODEL_KEYS_FILE_H
#define CFUZZ_UI_MODEL_KEYS_FILE_H

#include <stddef.h>

#include "shared/status.h"
#include "ui/model/keymap.h"

/* `file` is for messages: "keys.json:3:5: findings: …". NULL: err says why. */
struct keymap *keys_file_parse(const char *file, const char *text, size_t len,
	struct error *err) MUST_CHECK;

/*
 * Uses the keys of that file from now on; "": of keys.json in the user's
 * configuration folder, if it is there, else the default ones. On failure
 * the keys stay as they were.
 */
enum status keys_load(const char *path, struct error *err) MUST_CHECK;

/* The default keys again. */
void keys_reset(void);

#endif
