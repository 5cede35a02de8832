/*
 * place: where a user is in the console: the view, its selection and open page.
 *
 * The console that controls sends its place to the engine, which passes it on to
 * the consoles that follow; a recording has it, too. A place comes from another
 * process or a file, so each view checks what it is given.
 */
#ifndef CFUZZ_UI_MODEL_PLACE_H
#define CFUZZ_UI_MODEL_PLACE_H

#include <stdbool.h>
#include <stdint.h>

#include <jansson.h>

#include "ui/model/filter.h"

#define PLACE_ITEM 160
#define PLACE_VIEW 24

struct place {
	char view[PLACE_VIEW];
	char item[PLACE_ITEM]; /* name of the selected row; "": unknown */
	char filter[FILTER_SIZE];
	uint32_t page; /* a number of the view; 0: its list */
	uint32_t worker;
	uint32_t row; /* selected in the list on that page */
};

/* A new reference. */
json_t *place_encode(const struct place *place);
/* Cleans the texts. False: not a place. */
bool place_decode(struct place *place, const json_t *json);
bool place_equal(const struct place *a, const struct place *b);

#endif
