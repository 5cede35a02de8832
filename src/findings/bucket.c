/*
 * bucket: see bucket.h. The stack is flattened to one element for each function
 * of the target. The key is written from these elements.
 */
#include "findings/bucket.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/xmalloc.h"
#include "findings/function_name.h"
#include "findings/library_names.h"
#include "findings/names.h"
#include "shared/fnv.h"

/* A stack with this report is smashed: only its innermost frame is certain. */
#define STACK_PROTECTOR "stack smashing detected"
#define ELEMENTS_MAX 64u
#define ELEMENT_SIZE 384u

/* A function on the stack. */
struct element {
	char name[ELEMENT_SIZE]; /* "fill tiles.c", or "target+0x1234" */
	char line[40]; /* " +4" from its declaration, " :118"; "" if unknown */
};

struct stack {
	struct element at[ELEMENTS_MAX];
	uint32_t n;
};

static void
bucket_set_named(struct element *to, const struct symbol *s,
	const struct failure_frame *frame)
{
	char function[SYMBOL_FUNCTION_MAX];

	function_name(s->function, function, sizeof(function));
	snprintf(to->name, sizeof(to->name), "%s%s%s", function,
		function[0] != '\0' && s->file[0] != '\0' ? " " : "", s->file);
	if (s->line == 0)
		snprintf(to->line, sizeof(to->line), " at 0x%" PRIx64,
			s->file[0] == '\0' ? s->offset : frame->offset);
	else if (s->declared != 0 && s->declared <= s->line)
		snprintf(to->line, sizeof(to->line), " +%u",
			s->line - s->declared);
	else
		snprintf(to->line, sizeof(to->line), " :%u", s->line);
}

static void
bucket_set_unnamed(struct element *to, const struct failure_frame *frame)
{
	snprintf(to->name, sizeof(to->name), "%.*s+0x%" PRIx64,
		(int)FAILURE_MODULE_MAX, frame->module, frame->offset);
	to->line[0] = '\0';
}

static uint32_t
bucket_depth_of(const struct symbols_answer *names, uint32_t frame)
{
	return names != NULL && frame < names->n ? names->at[frame].n : 0;
}

static bool
bucket_has_name(const struct symbol *s)
{
	return s->function[0] != '\0' || s->file[0] != '\0';
}

/* Adds the functions of a frame; library functions only with `all`. */
static void
bucket_add_frame(struct stack *stack, const struct failure *f,
	const struct symbols_answer *names, uint32_t i, bool all)
{
	uint32_t k, n = bucket_depth_of(names, i);

	if (!all && strcmp(f->frames[i].module, "?") == 0)
		return;
	for (k = 0; k < n || k == 0; k++) {
		if (stack->n == ELEMENTS_MAX)
			return;
		if (!all && names_is_library(f, names, i, k))
			continue;
		if (k < n && bucket_has_name(&names->at[i].symbols[k]))
			bucket_set_named(&stack->at[stack->n],
				&names->at[i].symbols[k], &f->frames[i]);
		else
			bucket_set_unnamed(&stack->at[stack->n], &f->frames[i]);
		stack->n++;
	}
}

static void
bucket_flatten(struct stack *stack, const struct failure *f,
	const struct symbols_answer *names, bool all)
{
	uint32_t i;

	stack->n = 0;
	for (i = 0; i < f->frames_n && i < FAILURE_FRAMES_MAX; i++)
		bucket_add_frame(stack, f, names, i, all);
}

static bool
bucket_same_function(const struct element *a, const struct element *b)
{
	return strcmp(a->name, b->name) == 0;
}

static uint32_t
bucket_times(const struct stack *stack, const struct element *element)
{
	uint32_t i, n = 0;

	for (i = 0; i < stack->n; i++)
		n += bucket_same_function(&stack->at[i], element);
	return n;
}

/* Keeps each function once, where it comes first. */
static void
bucket_collapse(struct stack *stack)
{
	uint32_t i, k, n = 0;

	for (i = 0; i < stack->n; i++) {
		for (k = 0; k < n; k++)
			if (bucket_same_function(&stack->at[k], &stack->at[i]))
				break;
		if (k == n && n != i)
			stack->at[n] = stack->at[i];
		n += k == n;
	}
	stack->n = n;
}

static int
bucket_compare_elements(const void *a, const void *b)
{
	return strcmp(((const struct element *)a)->name,
		((const struct element *)b)->name);
}

/*
 * Leaves the recursive functions, sorted by name, and with `innermost` the
 * innermost function too. False: no function is recursive. `rounds` is scratch
 * space.
 */
static bool
bucket_keep_rounds(struct stack *stack, struct stack *rounds, bool innermost)
{
	uint32_t i;

	rounds->n = 0;
	for (i = 0; i < stack->n; i++)
		if (bucket_times(stack, &stack->at[i]) > 1)
			rounds->at[rounds->n++] = stack->at[i];
	if (rounds->n == 0)
		return false;
	bucket_collapse(rounds);
	if (innermost && bucket_times(stack, &stack->at[0]) == 1)
		rounds->at[rounds->n++] = stack->at[0];
	*stack = *rounds;
	qsort(stack->at, stack->n, sizeof(stack->at[0]),
		bucket_compare_elements);
	return true;
}

static bool
bucket_is_used_up(const struct failure *f)
{
	return f->stack_full || strcmp(f->what, "stack-overflow") == 0;
}

bool
bucket_line_counts(const struct failure *f)
{
	switch (f->kind) {
	case FAILURE_HANG:
	case FAILURE_OOM:
	case FAILURE_STOPPED:
		return false;
	default:
		return !bucket_is_used_up(f);
	}
}

static void
bucket_add_words(char *buf, size_t size, const char *words)
{
	size_t n = strlen(buf);

	if (words[0] != '\0')
		snprintf(buf + n, size - n, "%s%s", n > 0 ? ", " : "", words);
}

static void
bucket_add_stack(const struct stack *stack, uint32_t n, bool line, char *buf,
	size_t size)
{
	char words[ELEMENT_SIZE + 40], clean[ELEMENT_SIZE + 40];
	uint32_t i;

	for (i = 0; i < n && i < stack->n; i++) {
		snprintf(words, sizeof(words), "%s%s", stack->at[i].name,
			i == 0 && line ? stack->at[i].line : "");
		text_clean_string(words, clean, sizeof(clean));
		bucket_add_words(buf, size, clean);
	}
}

/* Smashed stack: the place of the failure is arbitrary. */
static bool
bucket_is_smashed(const struct failure *f, const struct symbols_answer *names)
{
	uint32_t depth, own;

	if (strcmp(f->what, FAILURE_SMASHED_WHAT) == 0)
		return true;
	own = names_own_frame(f, names, &depth);
	return f->kind == FAILURE_SIGNAL &&
		depth < bucket_depth_of(names, own) &&
		library_is_startup(&names->at[own].symbols[depth]);
}

void
bucket_key(const struct failure *f, const struct symbols_answer *names,
	char *buf, size_t size)
{
	char text[4 * FAILURE_DETAIL_MAX], detail[FAILURE_DETAIL_MAX];
	/* Too large for a small stack. */
	struct stack *stack = xcalloc(2, sizeof(*stack));
	uint32_t n = BUCKET_FRAMES;

	buf[0] = '\0';
	bucket_add_words(buf, size, failure_kind_name(f->kind));
	text_clean_string(bucket_is_smashed(f, names) ? FAILURE_SMASHED_WHAT
						      : f->what,
		text, sizeof(text));
	bucket_add_words(buf, size, text);
	failure_detail(f, detail, sizeof(detail));
	bucket_add_words(buf, size, detail);
	if (bucket_is_smashed(f, names))
		n = 0;
	else if (strstr(f->text, STACK_PROTECTOR) != NULL)
		n = 1;
	bucket_flatten(stack, f, names, false);
	if (stack->n == 0)
		bucket_flatten(stack, f, names, true);
	if (n > 0 && (bucket_is_used_up(f) || f->kind == FAILURE_HANG) &&
		bucket_keep_rounds(stack, stack + 1, f->kind == FAILURE_HANG))
		n = ELEMENTS_MAX;
	else
		bucket_collapse(stack);
	bucket_add_stack(stack, n, bucket_line_counts(f), buf, size);
	free(stack);
}

static uint64_t
bucket_hash_text(const char *text)
{
	uint64_t hash = fnv_add(FNV_BASIS, text, strlen(text));

	return hash != 0 ? hash : 1;
}

uint64_t
bucket_identity(const struct failure *f, const struct symbols_answer *names)
{
	char key[BUCKET_KEY_SIZE];

	bucket_key(f, names, key, sizeof(key));
	return bucket_hash_text(key);
}

uint64_t
bucket_overflow(enum failure_kind kind)
{
	char text[64];

	snprintf(text, sizeof(text), "%s, too many", failure_kind_name(kind));
	return bucket_hash_text(text);
}
