/*
 * keymap: the table of keys as a user wants it.
 *
 * It begins as the default table. Each change is checked: a key has a name, a
 * command is one that this context understands. In the end the keys without
 * which one would be locked in must still be there. The new rows are like the
 * default ones of their commands, so footer and help say the right thing.
 */
#ifndef CFUZZ_UI_MODEL_KEYMAP_H
#define CFUZZ_UI_MODEL_KEYMAP_H

#include "shared/status.h"
#include "ui/term/keys.h"

struct keymap;

struct keymap *keymap_create(void);
void keymap_destroy(struct keymap *map); /* NULL is fine */

/* NULL as the command takes the key away. E_USAGE: err says what is wrong. */
enum status keymap_bind(struct keymap *map, enum key_context context,
	const char *key, const char *command, struct error *err) MUST_CHECK;

/* Does each command that must have a key have one, wherever one is? */
enum status keymap_check(const struct keymap *map, struct error *err)
	MUST_CHECK;

/* keys_use() with it; the map must live as long. */
void keymap_use(const struct keymap *map);

#endif
