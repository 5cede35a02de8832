/*
 * fields: structs of plain members as JSON and back, by tables.
 *
 * One row per member drives both directions, so encoder and decoder cannot
 * diverge. Encoding cannot fail. Decoding trusts nothing: errors of a member,
 * see field_row.h, and an array that is too long name the member. Unknown
 * members are ignored; missing members keep their value.
 */
#ifndef CFUZZ_CONTROL_FIELDS_H
#define CFUZZ_CONTROL_FIELDS_H

#include <stddef.h>

#include <jansson.h>

#include "control/field_row.h"
#include "shared/status.h"

/* A pointer to items and a size_t with their number. */
struct field_list {
	const char *name;
	size_t offset, n_offset; /* of the pointer and of the number of items */
	size_t max;
	size_t item_size;
	const struct fields *fields;
	/*
	 * Not 0: the JSON is an object, and its keys are the texts of this size
	 * at the start of each item. 0: the JSON is an array.
	 */
	size_t key_size;
};

/* A whole struct: its members and its lists. */
struct record {
	size_t size; /* of the struct */
	struct fields fields;
	const struct field_list *lists;
	size_t lists_n;
};

/* A list in FIELD_OF: `member` and `member_n`; rows: a struct fields. */
#define FIELD_LIST(member, most, rows) \
	.name = #member, .offset = offsetof(struct FIELD_OF, member), \
	.n_offset = offsetof(struct FIELD_OF, member##_n), .max = (most), \
	.item_size = sizeof(*((struct FIELD_OF *)0)->member), \
	.fields = &(rows)

/* Adds the members of the struct at `base` to the object. */
void record_encode(const struct record *record, const void *base,
	json_t *object);
/* The same, with lists in the format of columns.h, which is faster to parse. */
void record_encode_columns(const struct record *record, const void *base,
	json_t *object);

/*
 * Fills the struct at `base`, which must be initialised, from either format. On
 * failure some members may be filled: clear the struct.
 */
enum status record_decode(const struct record *record, const json_t *json,
	void *base, struct error *err) MUST_CHECK;

/* Frees lists and blobs and sets all members to zero. */
void record_clear(const struct record *record, void *base);

#endif
