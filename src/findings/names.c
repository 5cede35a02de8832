#include "findings/names.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/xmalloc.h"
#include "control/json_text.h"
#include "findings/library_names.h"
#include "findings/module_paths.h"
#include "shared/deleted.h"
#include "shared/wire/failure.h"
#include "worker/target/replaced.h"

#define NAMES_WORDS_MAX 80u         /* bytes of a function's name in a line */
#define NAMES_PATHS_MAX (64u << 10) /* bytes */

struct names {
	struct symbols_client *client;
	const struct target_info *target;
	const struct pc_table *modules; /* NULL: none */
	char *paths;                    /* as lines */
	/* Base name of the target behind a symbolic link. */
	char link[NAME_MAX + 1];
};

struct names *
names_create(struct event_base *base, const struct target_info *target,
	const struct pc_table *modules)
{
	const struct symbols_client_config config = { .base = base };
	struct names *names = xcalloc(1, sizeof(*names));
	char *real = realpath(target->path, NULL);

	names->client = symbols_client_create(&config);
	names->target = target;
	names->modules = modules;
	names->paths = xstrdup("");
	if (real != NULL)
		snprintf(names->link, sizeof(names->link), "%s",
			basename(real));
	free(real);
	return names;
}

void
names_add_paths(struct names *names, const char *paths)
{
	char *old = names->paths;

	if (paths == NULL || strstr(old, paths) != NULL ||
		strlen(old) + strlen(paths) > NAMES_PATHS_MAX)
		return;
	names->paths = xasprintf("%s%s", old, paths);
	free(old);
}

void
names_destroy(struct names *names)
{
	if (names == NULL)
		return;
	symbols_client_destroy(names->client);
	free(names->paths);
	free(names);
}

/* A report takes a name that ends with the mark of a deleted file for one. */
static bool
names_is(const char *name, const char *module)
{
	size_t len = strlen(name);

	return module_paths_is(name, len, module) ||
		module_paths_is(name, deleted_len(name, len), module);
}

static bool
names_is_target(const struct names *names, const char *module)
{
	return names_is(names->target->name, module) ||
		names_is(names->link, module);
}

/* A module that only the failed process had is not in the maps of another. */
static char *
names_read_paths(const struct names *names, pid_t process)
{
	char *maps = module_paths_read(process);
	char *paths = xasprintf("%s\n%s", maps, names->paths);

	free(maps);
	return paths;
}

/* Asks nothing of a file that has taken the target's place. */
static bool
names_ask_checked(struct names *names, struct symbols_place *places, uint32_t n,
	symbols_done_fn *done, void *arg)
{
	for (uint32_t i = 0; i < n; i++)
		if (places[i].path != NULL &&
			target_is_replaced(names->target, places[i].path,
				places[i].id))
			places[i].path = NULL;
	return symbols_ask(names->client, places, n, done, arg);
}

/* A library may have been built again since it was loaded. */
static void
names_check_library(const struct names *names, const char *maps,
	struct symbols_place *place)
{
	if (place->path == NULL)
		return;
	place->id = module_paths_id(names->modules, place->path);
	if (place->id == NULL && module_paths_is_deleted(maps, place->path))
		place->path = NULL;
}

static bool
names_ask_depth(struct names *names, const struct failure *f, uint32_t depth,
	pid_t process, symbols_done_fn *done, void *arg)
{
	struct symbols_place places[SYMBOLS_PLACES_MAX] = { 0 };
	char *paths[SYMBOLS_PLACES_MAX] = { 0 }, *maps = NULL;
	uint32_t i, n = 0;
	bool asked;

	for (i = 0; i < f->frames_n && i < SYMBOLS_PLACES_MAX; i++) {
		places[i].offset = f->frames[i].offset;
		places[i].source = depth;
		if (names_is_target(names, f->frames[i].module)) {
			places[i].path = names->target->path;
			places[i].id = names->target->has_build_id
				? names->target->id
				: NULL;
		} else {
			if (maps == NULL)
				maps = names_read_paths(names, process);
			places[i].path = paths[i] = module_paths_find(maps,
				names->modules, f->frames[i].module);
			names_check_library(names, maps, &places[i]);
		}
		n += places[i].path != NULL;
	}
	asked = n > 0 && names_ask_checked(names, places, i, done, arg);
	while (i > 0)
		free(paths[--i]);
	free(maps);
	return asked;
}

bool
names_ask(struct names *names, const struct failure *f, pid_t process,
	symbols_done_fn *done, void *arg)
{
	return names_ask_depth(names, f, 0, process, done, arg);
}

bool
names_ask_source(struct names *names, const struct failure_frame *frame,
	uint32_t depth, pid_t process, symbols_done_fn *done, void *arg)
{
	struct failure f = { .frames_n = 1 };

	f.frames[0] = *frame;
	return names_ask_depth(names, &f, depth + 1, process, done, arg);
}

bool
names_ask_places(struct names *names, const struct symbols_place *places,
	uint32_t n, symbols_done_fn *done, void *arg)
{
	struct symbols_place checked[SYMBOLS_PLACES_MAX];

	if (n > SYMBOLS_PLACES_MAX)
		n = SYMBOLS_PLACES_MAX;
	memcpy(checked, places, n * sizeof(*places));
	return names_ask_checked(names, checked, n, done, arg);
}

/* ---- words ---- */

/* Without a name, s is NULL. */
static void
names_write(const struct symbol *s, const struct failure_frame *frame,
	char *buf, size_t size)
{
	char function[NAMES_WORDS_MAX] = "", file[NAMES_WORDS_MAX] = "",
	     module[FAILURE_MODULE_MAX];

	/* Cuts at the end of a character. */
	if (s != NULL) {
		text_clean_string(s->function, function, sizeof(function));
		text_clean_string(s->file, file, sizeof(file));
	}
	text_clean_string(frame->module, module, sizeof(module));
	if (file[0] == '\0')
		snprintf(buf, size, "%s%s%s+0x%llx", function,
			function[0] != '\0' ? " " : "", module,
			(unsigned long long)frame->offset);
	else if (s->line == 0)
		snprintf(buf, size, "%s %s", function, file);
	else
		snprintf(buf, size, "%s%s%s:%u", function,
			function[0] != '\0' ? " " : "", file, s->line);
}

static const struct symbol *
names_symbol(const struct symbols_answer *answer, uint32_t frame, uint32_t k)
{
	return answer != NULL && frame < answer->n && k < answer->at[frame].n
		? &answer->at[frame].symbols[k]
		: NULL;
}

bool
names_is_library(const struct failure *f, const struct symbols_answer *answer,
	uint32_t frame, uint32_t k)
{
	const struct symbol *s = names_symbol(answer, frame, k);

	return failure_is_library(f->frames[frame].module) ||
		(s != NULL &&
			library_is_function(s,
				names_symbol(answer, frame, k + 1) != NULL));
}

uint32_t
names_own_frame(const struct failure *f, const struct symbols_answer *answer,
	uint32_t *depth)
{
	uint32_t i, k;

	for (i = 0; i < f->frames_n && i < FAILURE_FRAMES_MAX; i++) {
		if (strcmp(f->frames[i].module, "?") == 0)
			continue;
		k = 0;
		do {
			if (names_is_library(f, answer, i, k))
				continue;
			*depth = k;
			return i;
		} while (names_symbol(answer, i, ++k) != NULL);
	}
	*depth = 0;
	return f->frames_n;
}

bool
names_where(const struct failure *f, const struct symbols_answer *answer,
	char *buf, size_t size)
{
	char text[3 * FAILURE_MODULE_MAX + NAMES_WORDS_MAX];
	uint32_t depth, frame = names_own_frame(f, answer, &depth);

	if (frame >= f->frames_n)
		return false;
	names_write(names_symbol(answer, frame, depth), &f->frames[frame], text,
		sizeof(text));
	text_clean_string(text, buf, size);
	return true;
}

void
names_spot(const struct failure *f, const struct symbols_answer *answer,
	char *buf, size_t size)
{
	buf[0] = '\0';
	if (f->frames_n > 0 && !names_where(f, answer, buf, size))
		names_write(NULL, &f->frames[0], buf, size);
}

/* The symbol that names_where() names; NULL: there is none. */
static const struct symbol *
names_own(const struct failure *f, const struct symbols_answer *answer)
{
	uint32_t depth, frame = names_own_frame(f, answer, &depth);

	return names_symbol(answer, frame, depth);
}

/* The function, or else the file, that names_where() names; NULL: neither. */
static const char *
names_function(const struct failure *f, const struct symbols_answer *answer)
{
	const struct symbol *s = names_own(f, answer);

	if (s == NULL)
		return NULL;
	return s->function[0] != '\0' ? s->function : s->file;
}

bool
names_same(const struct failure *a, const struct symbols_answer *a_names,
	const struct failure *b, const struct symbols_answer *b_names)
{
	const char *a_function = names_function(a, a_names);
	const char *b_function = names_function(b, b_names);

	if (a->kind != b->kind || strcmp(a->what, b->what) != 0)
		return false;
	return a_function == NULL || b_function == NULL ||
		strcmp(a_function, b_function) == 0;
}

bool
names_differ(const struct failure *a, const struct symbols_answer *a_names,
	const struct failure *b, const struct symbols_answer *b_names)
{
	const struct symbol *s = names_own(a, a_names);
	const struct symbol *t = names_own(b, b_names);

	return s != NULL && t != NULL && s->file[0] != '\0' &&
		t->file[0] != '\0' && strcmp(s->function, t->function) != 0;
}

static void
names_set_symbol(json_t *json, const struct symbol *s)
{
	if (s->function[0] != '\0')
		json_object_set_new(json, "function", json_string(s->function));
	if (s->file[0] != '\0')
		json_object_set_new(json, "file", json_string(s->file));
	if (s->path[0] != '\0')
		json_object_set_new(json, "path", json_string(s->path));
	if (s->line > 0)
		json_object_set_new(json, "line", json_integer(s->line));
	if (s->declared > 0)
		json_object_set_new(json, "declared",
			json_integer(s->declared));
	/* The bucket is made of it then. */
	if (s->file[0] == '\0' && s->offset > 0 && s->offset <= INT64_MAX)
		json_object_set_new(json, "function_offset",
			json_integer((json_int_t)s->offset));
}

/* Returns the list of functions that the first symbol is inlined into. */
static json_t *
names_outer(const struct symbols_at *at)
{
	json_t *list = json_array(), *json;
	uint32_t i;

	for (i = 1; i < at->n; i++) {
		json = json_object();
		names_set_symbol(json, &at->symbols[i]);
		json_array_append_new(list, json);
	}
	return list;
}

json_t *
names_frames(const struct failure *f, const struct symbols_answer *answer)
{
	json_t *frames = json_array(), *json;
	const struct symbols_at *at;
	char module[FAILURE_MODULE_MAX];
	uint32_t i;

	for (i = 0; i < f->frames_n; i++) {
		text_clean_string(f->frames[i].module, module, sizeof(module));
		json = json_pack("{s:s, s:I}", "module", module, "offset",
			(json_int_t)f->frames[i].offset);
		at = answer != NULL && i < answer->n ? &answer->at[i] : NULL;
		if (at != NULL && at->n > 0)
			names_set_symbol(json, &at->symbols[0]);
		if (at != NULL && at->n > 1)
			json_object_set_new(json, "inlined_into",
				names_outer(at));
		json_array_append_new(frames, json);
	}
	return frames;
}

static void
names_parse_symbol(const json_t *json, struct symbol *s)
{
	const char *function = json_text_get(json, "function");
	const char *file = json_text_get(json, "file");
	const char *path = json_text_get(json, "path");
	json_int_t line = json_integer_value(json_object_get(json, "line"));
	json_int_t declared =
		json_integer_value(json_object_get(json, "declared"));
	json_int_t offset =
		json_integer_value(json_object_get(json, "function_offset"));

	if (function != NULL)
		text_clean_string(function, s->function, sizeof(s->function));
	if (file != NULL)
		text_clean_string(file, s->file, sizeof(s->file));
	if (path != NULL && strlen(path) < sizeof(s->path))
		text_clean_string(path, s->path, sizeof(s->path));
	if (line > 0 && line <= UINT32_MAX)
		s->line = (uint32_t)line;
	if (declared > 0 && declared <= UINT32_MAX)
		s->declared = (uint32_t)declared;
	if (offset > 0)
		s->offset = (uint64_t)offset;
}

static void
names_parse_frame(const json_t *json, struct symbols_at *at)
{
	const json_t *outer = json_object_get(json, "inlined_into");
	size_t n = 1 + json_array_size(outer), i;

	if (json_object_get(json, "function") == NULL &&
		json_object_get(json, "file") == NULL)
		return;
	if (n > SYMBOL_DEPTH_MAX)
		n = SYMBOL_DEPTH_MAX;
	at->symbols = xcalloc(n, sizeof(*at->symbols));
	at->n = (uint32_t)n;
	names_parse_symbol(json, &at->symbols[0]);
	for (i = 1; i < n; i++)
		names_parse_symbol(json_array_get(outer, i - 1),
			&at->symbols[i]);
}

struct symbols_answer *
names_parse(struct failure *f, const json_t *frames)
{
	struct symbols_answer *answer = xcalloc(1, sizeof(*answer));
	uint32_t i, known = 0;

	f->frames_n = 0;
	for (i = 0; i < json_array_size(frames) && i < FAILURE_FRAMES_MAX;
		i++) {
		const json_t *json = json_array_get(frames, i);
		const char *module = json_text_get(json, "module");

		text_clean_string(module != NULL ? module : "?",
			f->frames[i].module, sizeof(f->frames[i].module));
		f->frames[i].offset = (uint64_t)json_integer_value(
			json_object_get(json, "offset"));
		names_parse_frame(json, &answer->at[i]);
		known += answer->at[i].n;
	}
	f->frames_n = answer->n = i;
	if (known > 0)
		return answer;
	symbols_answer_destroy(answer);
	return NULL;
}

struct symbols_answer *
names_copy(const struct failure *f, const struct symbols_answer *answer)
{
	json_t *frames = answer != NULL ? names_frames(f, answer) : NULL;
	struct failure same = *f;
	struct symbols_answer *copy =
		frames != NULL ? names_parse(&same, frames) : NULL;

	json_decref(frames);
	return copy;
}

/*
 * The sanitizer's quick unwinder follows frame pointers. The C library has
 * none, so what asprintf() allocates has no caller in the stack.
 */
#define NAMES_NO_CALLER \
	"    (ASAN_OPTIONS=fast_unwind_on_malloc=0, or LSAN_OPTIONS, shows " \
	"the caller)\n"

char *
names_stack(const struct failure *f, const struct symbols_answer *answer)
{
	char line[512], *text = xstrdup("\nwhere, by name:\n"), *longer;
	uint32_t i, k, depth, number = 0;
	bool named = false;

	for (i = 0; i < f->frames_n; i++) {
		k = 0;
		do {
			named |= names_symbol(answer, i, k) != NULL;
			names_write(names_symbol(answer, i, k), &f->frames[i],
				line, sizeof(line));
			longer = xasprintf("%s    #%u %s\n", text, number++,
				line);
			free(text);
			text = longer;
		} while (names_symbol(answer, i, ++k) != NULL);
	}
	if (!named) {
		free(text);
		return NULL;
	}
	if (f->kind != FAILURE_LEAK ||
		names_own_frame(f, answer, &depth) < f->frames_n)
		return text;
	longer = xasprintf("%s" NAMES_NO_CALLER, text);
	free(text);
	return longer;
}
