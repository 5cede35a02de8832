/*
 * completion: the possible words at the cursor of the prompt.
 */
#ifndef CFUZZ_UI_CONSOLE_COMPLETION_H
#define CFUZZ_UI_CONSOLE_COMPLETION_H

#include "control/snapshot.h"
#include "ui/model/model.h"
#include "ui/model/text_field.h"

struct completion {
	char word[TEXT_FIELD_SIZE]; /* the part already typed */
	size_t word_len;
	char common[TEXT_FIELD_SIZE]; /* beginning of all candidates */
	size_t n;                     /* candidates */
	char list[MODEL_TEXT];        /* the candidates, for the hint */
};

/* Collects the candidates for the word before the cursor. */
void completion_collect(struct completion *c, const struct text_field *field,
	const struct snapshot *s);

#endif
