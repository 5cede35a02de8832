/*
 * rpc_json: bounded reading and writing of JSON members, for rpc*.c alone.
 *
 * A reader and a writer remember the first error, so that a message is a plain
 * list of members with one check at its end.
 */
#ifndef CFUZZ_SHARED_WIRE_RPC_JSON_H
#define CFUZZ_SHARED_WIRE_RPC_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "shared/status.h"

struct rpc_writer {
	json_t *object; /* owned, or borrowed from the writer above */
	bool failed;
};

void rpc_writer_init(struct rpc_writer *writer);
/* A number above INT64_MAX does not fit JSON integers: a failure. */
void rpc_put_number(struct rpc_writer *writer, const char *name, uint64_t n);
void rpc_put_signed(struct rpc_writer *writer, const char *name, int64_t n);
void rpc_put_bool(struct rpc_writer *writer, const char *name, bool value);
/* All 64 bits, as a string of 16 hex digits. */
void rpc_put_hex(struct rpc_writer *writer, const char *name, uint64_t n);
/* Bytes that are not UTF-8 become U+FFFD; text ends at a NUL or at size. */
void rpc_put_text(struct rpc_writer *writer, const char *name, const char *text,
	size_t size);
/* Steals the value, also on failure; NULL is a failure. */
void rpc_put(struct rpc_writer *writer, const char *name, json_t *take_value);
/* Returns the object, owned by the caller; NULL after a failure. */
json_t *rpc_writer_steal(struct rpc_writer *writer);
/* Writes the line and frees the object; NULL is a failure. */
enum status rpc_dump(json_t *take_object, char *buf, size_t size, size_t *len,
	struct error *err) MUST_CHECK;

struct rpc_reader {
	json_t *object; /* borrowed */
	enum status status;
	struct error *err;
};

/* Parses a whole line. Owned; NULL and an error if it is not an object. */
json_t *rpc_load(const char *line, size_t len, struct error *err);
void rpc_reader_init(struct rpc_reader *reader, json_t *object,
	struct error *err);
void rpc_reader_fail(struct rpc_reader *reader, const char *name);
/* A member that is missing or null reads as zero, false, "". */
uint64_t rpc_get_number(struct rpc_reader *reader, const char *name,
	uint64_t max);
int64_t rpc_get_signed(struct rpc_reader *reader, const char *name, int64_t min,
	int64_t max);
bool rpc_get_bool(struct rpc_reader *reader, const char *name);
uint64_t rpc_get_hex(struct rpc_reader *reader, const char *name);
/* Text that does not fit is an error. */
void rpc_get_text(struct rpc_reader *reader, const char *name, char *buf,
	size_t size);
/* Borrowed; NULL if missing, null, or longer than max (an error). */
json_t *rpc_get_array(struct rpc_reader *reader, const char *name, size_t max);
json_t *rpc_get_object(struct rpc_reader *reader, const char *name);

#endif
