/*
 * keymap: the key table with the user's changes.
 *
 * A key map starts as the default table. keymap_bind() checks each change: the
 * key must have a name, and the command must be valid in the context.
 * keymap_check() then makes sure that the commands without which the user could
 * not leave still have a key. A new row copies note and word of its command's
 * default row, so footer and help describe it correctly.
 */
#ifndef CFUZZ_UI_MODEL_KEYMAP_H
#define CFUZZ_UI_MODEL_KEYMAP_H

#include "shared/status.h"
#include "ui/term/keys.h"

struct keymap;

struct keymap *keymap_create(void);
void keymap_destroy(struct keymap *map); /* NULL is fine */

/* Binds a key; a NULL command removes its row. Copies both texts. E_USAGE: err
 * names the mistake. E_FULL: the map has no more rows. */
enum status keymap_bind(struct keymap *map, enum key_context context,
	const char *key, const char *command, struct error *err) MUST_CHECK;

/* Does every command that must have a key have one, in every context where the
 * command is needed? E_USAGE: err names a command that has none. */
enum status keymap_check(const struct keymap *map, struct error *err)
	MUST_CHECK;

/* Calls keys_use(); the map must outlive its use. */
void keymap_use(const struct keymap *map);

#endif
