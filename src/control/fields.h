/*
 * fields: structs of plain members as JSON and back, by tables.
 *
 * One row per member drives both directions, so encoder and decoder cannot
 * diverge. Encoding cannot fail. Decoding trusts nothing; its message names the
 * member. E_RANGE: a list is too long; E_FORMAT: no object or no array; other
 * errors: see field_row.h. Unknown members are ignored; missing members keep
 * their value. The items of a list have no lists and no blobs.
 */
#ifndef CFUZZ_CONTROL_FIELDS_H
#define CFUZZ_CONTROL_FIELDS_H

#include <jansson.h>

#include "control/field_row.h"
#include "shared/status.h"

/* Adds the members of the struct at `base` to the object. */
void fields_encode(const struct fields *fields, const void *base,
	json_t *object);
/*
 * The same, with an array for each member of a list: {"id": [0, 1], "pid": [71,
 * 72]} means [{"id": 0, "pid": 71}, {"id": 1, "pid": 72}] and is parsed three
 * times as fast, because each name appears once. A member that is 0, false or
 * empty in all items is left out, but for the first one, which gives the number
 * of items.
 */
void fields_encode_columns(const struct fields *fields, const void *base,
	json_t *object);

/*
 * Fills the struct at `base` from either format. The struct must be
 * initialised, with empty lists. On failure some members may be filled: clear
 * the struct.
 */
enum status fields_decode(const struct fields *fields, const json_t *object,
	void *base, struct error *err) MUST_CHECK;

/* Frees lists and blobs and sets all members to zero. */
void fields_clear(const struct fields *fields, void *base);

#endif
