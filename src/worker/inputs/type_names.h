/*
 * type_names: the types of a target as text and as JSON: ["[]uint8", "int32"].
 */
#ifndef CFUZZ_WORKER_INPUTS_TYPE_NAMES_H
#define CFUZZ_WORKER_INPUTS_TYPE_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include <jansson.h>

#include "shared/status.h"
#include "shared/values/tuple.h"

/* A new reference to an array; empty for an untyped target. */
json_t *type_names_json(const struct tuple_types *types);
/* Parses such an array. False: it is invalid, and types->n is 0. */
bool type_names_parse(const json_t *json, struct tuple_types *types);

#define TYPE_NAMES_SIZE (TUPLE_MAX * 10u)
/* "[]uint8, int32", or "bytes"; a buffer of TYPE_NAMES_SIZE is large enough. */
void type_names_text(const struct tuple_types *types, char *buf, size_t size);

bool type_names_same(const struct tuple_types *a, const struct tuple_types *b);

/* E_EXISTS: the types of a target are not those that an output directory was made
 * with. shown: its cleaned path; advice: ends the message. */
enum status type_names_check(const struct tuple_types *was,
	const struct tuple_types *is, const char *shown, const char *advice,
	struct error *err) MUST_CHECK;

#endif
