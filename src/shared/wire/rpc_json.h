/*
 * rpc_json: structs as JSON objects and back, by tables; for rpc.c alone.
 *
 * One row per member drives both directions. A number is read within the bounds
 * of its row, a text only if it fits. A target links this file, so it is apart
 * from control/fields.h, which cleans texts and allocates lists.
 */
#ifndef CFUZZ_SHARED_WIRE_RPC_JSON_H
#define CFUZZ_SHARED_WIRE_RPC_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "shared/status.h"

enum rpc_type {
	RPC_BOOL,
	RPC_NUMBER, /* unsigned, of 4 or 8 bytes; above INT64_MAX: a failure */
	RPC_HEX,    /* all 64 bits, as a string of 16 hex digits */
	/* Bytes that are not UTF-8 become U+FFFD; ends at a NUL or at size. */
	RPC_TEXT,
	RPC_FAILURE, /* enum failure_kind, as its name */
	RPC_LIST,    /* an array in the struct; a uint32_t has the length */
	/* Members of Go's engine that are written, not read. */
	RPC_NULL,
	RPC_TEXT_OUT,
};

struct rpc_member {
	const char *name; /* NULL: the item of a list is the value itself */
	enum rpc_type type;
	size_t offset, size; /* in the struct, bytes */
	uint64_t max;        /* NUMBER: 0: all values of its size */
	/* BOOL, NUMBER of 4 bytes: `absent` is not written. A missing NUMBER is
	 * read as `absent`. */
	bool optional;
	uint64_t absent;
	size_t n_offset;               /* LIST: of the length, in the struct */
	const struct rpc_table *items; /* LIST: of its items */
};

struct rpc_table {
	const struct rpc_member *members;
	size_t n;
	size_t size; /* of the struct */
};

/*
 * Macros for the rows of a table. RPC_OF is the type of the struct: define it
 * before the rows and undefine it after them.
 */
#define RPC_MEMBER(NAME, TYPE, field) \
	.name = (NAME), .type = RPC_##TYPE, .offset = offsetof(RPC_OF, field), \
	.size = sizeof(((RPC_OF *)0)->field)
#define RPC_LIST_OF(NAME, field, length, table) \
	RPC_MEMBER(NAME, LIST, field), .n_offset = offsetof(RPC_OF, length), \
				       .items = &(table)
#define RPC_TABLE(rows) \
	{ \
		.members = (rows), .n = sizeof(rows) / sizeof((rows)[0]), \
		.size = sizeof(RPC_OF) \
	}

/* Adds the members; false: a value cannot be encoded, or no memory. */
bool rpc_put_members(json_t *object, const struct rpc_table *table,
	const void *base) MUST_CHECK;
/* Encodes a struct as a new reference. NULL as of rpc_put_members(). */
json_t *rpc_object(const struct rpc_table *table, const void *base);
/* Writes the line, its newline included, and frees the object. E_RANGE, with
 * *len 0: the object is NULL, or the line is longer than size or
 * RPC_LINE_MAX. */
enum status rpc_dump(json_t *take_object, char *buf, size_t size, size_t *len,
	struct error *err) MUST_CHECK;

/* Parses a whole line. A new reference; NULL, with E_PROTOCOL in err, if it is
 * not an object, or is too long or too deep. */
json_t *rpc_load(const char *line, size_t len, struct error *err);
/*
 * Reads the members into base, which holds zeros before. A member that is
 * missing or null gives its `absent`, else the zeros stay. E_PROTOCOL: the
 * message names the bad member.
 */
enum status rpc_get_members(const json_t *object, const struct rpc_table *table,
	void *base, struct error *err) MUST_CHECK;
/* Sets *member, borrowed; NULL if it is missing or null. E_PROTOCOL: it is
 * something else than an object. */
enum status rpc_get_object(const json_t *object, const char *name,
	json_t **member, struct error *err) MUST_CHECK;
/* Sets the error for a bad member and returns E_PROTOCOL. */
enum status rpc_bad_member(struct error *err, const char *name);

#endif
