/*
 * made_reply: answers to whatever a view may ask.
 *
 * They take the way of all answers, through JSON, so what a view gets has
 * been bounded and cleaned as in the console.
 */
#include "lib/made_reply.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/xmalloc.h"
#include "control/query_fields.h"

#define MADE_ITEMS 60
#define MADE_BLOB 3000
#define MADE_TEXT 600

struct maker {
	enum made_kind kind;
	uint64_t dice;
};

static uint64_t
made_dice(struct maker *m, uint64_t n)
{
	m->dice = m->dice * 6364136223846793005u + 1442695040888963407u;
	return (m->dice >> 33) % n;
}

static json_t *
made_text(struct maker *m, const struct field_row *row)
{
	static const char *const plain[] = { "read_tile", "3fa9c177d0aa9b01",
		"/src/tile.c", "bit flip", "fuzzing", "", "coverage +3 bits" };
	static const char *const hostile[] = { "\033]0;owned\007\033[2J",
		"漢字漢字漢字漢字", "e\u0301e\u0301", "\u202eevil\u202c",
		"\n\r\t\v", "\u200b\u200b\ufeff",
		"a long word without a place to break it ", "😀😀😀", "\xc2\x85",
		"%s%n", "\x7f\x01" };
	char text[MADE_TEXT] = "";

	if (m->kind == MADE_PLAIN)
		return json_string(plain[made_dice(m, 7)]);
	while (strlen(text) < row->size && strlen(text) < MADE_TEXT - 60)
		strcat(text, hostile[made_dice(m, 11)]);
	return json_string(text);
}

static json_t *
made_number(struct maker *m, const struct field_row *row)
{
	if (m->kind == MADE_PLAIN)
		return json_integer((json_int_t)made_dice(m, 5000));
	if (row->size < 8)
		return json_integer(made_dice(m, 2) ? INT32_MAX : 0);
	return json_integer(made_dice(m, 2) ? INT64_MAX : 0);
}

static json_t *
made_hex(struct maker *m, size_t most)
{
	size_t n = most < MADE_BLOB ? most : MADE_BLOB;
	char *text = xmalloc(2 * n + 1);
	json_t *json;

	for (size_t i = 0; i < n; i++)
		snprintf(text + 2 * i, 3, "%02x", (unsigned)made_dice(m, 256));
	text[2 * n] = '\0';
	json = json_string(text);
	free(text);
	return json;
}

static json_t *
made_value(struct maker *m, const struct field_row *row)
{
	static const double reals[] = { 0, 1e300, -1, 0.5, 1e-300, 86400 };

	switch (row->type) {
	case FIELD_TEXT:
		return made_text(m, row);
	case FIELD_REAL:
		return json_real(m->kind == MADE_PLAIN
				? (double)made_dice(m, 1000) / 10
				: reals[made_dice(m, 6)]);
	case FIELD_BOOL:
		return json_boolean(made_dice(m, 2));
	case FIELD_BYTES:
		return made_hex(m, row->size);
	case FIELD_BLOB:
		return made_hex(m, row->max);
	case FIELD_SEED:
		return json_string("18446744073709551615");
	case FIELD_WORD:
		return json_string(
			row->words->items[made_dice(m, row->words->n)]);
	default:
		return made_number(m, row);
	}
}

static void made_members(struct maker *m, const struct fields *fields,
	json_t *object);

static json_t *
made_list(struct maker *m, const struct field_row *list)
{
	json_t *all = list->key_size > 0 ? json_object() : json_array();
	size_t n = list->max < MADE_ITEMS ? list->max : MADE_ITEMS;
	char key[16];

	for (size_t i = 0; i < n; i++) {
		json_t *item = json_object();

		made_members(m, list->fields, item);
		snprintf(key, sizeof(key), "%zu", i);
		if (list->key_size > 0)
			json_object_set_new(all, key, item);
		else
			json_array_append_new(all, item);
	}
	return all;
}

static void
made_members(struct maker *m, const struct fields *fields, json_t *object)
{
	for (const struct field_row *row = fields->rows; row->name; row++)
		json_object_set_new(object, row->name,
			row->type == FIELD_ITEMS ? made_list(m, row)
						 : made_value(m, row));
}

/* What a reply repeats of its query; a view may look whether it fits. */
static void
made_echo(const struct query *query, json_t *json)
{
	static const char *const same[] = { "name", "module", "first",
		"worker" };
	json_t *asked = query_encode(query, 1);

	for (size_t i = 0; i < 4; i++)
		if (json_object_get(json, same[i]) != NULL)
			json_object_set(json, same[i],
				json_object_get(asked, same[i]));
	json_decref(asked);
}

json_t *
made_reply_json(const struct query *query, uint64_t id, enum made_kind kind)
{
	struct maker m = { kind, query->kind * 7919u + (unsigned)kind };
	json_t *json = json_object();

	if (kind == MADE_PLAIN || kind == MADE_HOSTILE) {
		made_members(&m, REPLY_BODIES[query->kind], json);
		made_echo(query, json);
	}
	if (kind == MADE_ERROR)
		json_object_set_new(json, "error",
			json_string("there is no such \033[31mentry"));
	json_object_set_new(json, "id", json_integer((json_int_t)id));
	json_object_set_new(json, "kind",
		json_string(query_kind_name(query->kind)));
	return json;
}

void
made_reply(const struct query *query, struct reply *reply, void *arg)
{
	const enum made_kind *kind = arg;
	json_t *json = made_reply_json(query, 1, *kind);
	struct error err = { 0 };
	uint64_t id;

	if (reply_decode(reply, &id, json, &err) != OK)
		fail_msg("%s: %s", query_kind_name(query->kind), err.text);
	json_decref(json);
}
