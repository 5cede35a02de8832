/* crash_modules: see crash_modules.h. */

#include "target/crash/crash_modules.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "target/abi.h"

/* Global, because a signal handler takes no argument. */
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
static struct {
	struct failure_module known[FAILURE_MODULES_MAX];
	uint32_t known_n;
	/* A fault in here, because the memory is damaged, comes back to here. */
	bool busy;
	/* The folder of names without a '/' in front, as of the start. */
	char folder[PATH_MAX];
	char line[2 * PATH_MAX]; /* of head->paths */
} crash_modules;

void
crash_modules_prepare(void)
{
	if (getcwd(crash_modules.folder, sizeof(crash_modules.folder)) == NULL)
		crash_modules.folder[0] = '\0';
}

void
crash_modules_set_known(const struct failure_module *modules, uint32_t n)
{
	crash_modules.known_n = 0;
	for (uint32_t i = 0; i < n && i < FAILURE_MODULES_MAX; i++)
		crash_modules.known[crash_modules.known_n++] = modules[i];
}

#ifdef DLFO_EH_SEGMENT_TYPE

ABI_WEAK int _dl_find_object(void *address, struct dl_find_object *result);

/* At most max bytes; a sanitizer's strnlen() would look at more. */
static size_t
crash_modules_len(const char *text, size_t max)
{
	size_t len = 0;

	while (len < max && text[len] != '\0')
		len++;
	return len;
}

static bool
crash_modules_is(const struct failure_module *a, const struct failure_module *b)
{
	return a->bias == b->bias &&
		strncmp(a->name, b->name, sizeof(a->name)) == 0;
}

static void
crash_modules_append(char *line, size_t size, const char *text)
{
	size_t used = crash_modules_len(line, size);
	size_t len = crash_modules_len(text, size);

	if (used + len >= size)
		return;
	memcpy(line + used, text, len);
	line[used + len] = '\0';
}

static void
crash_modules_note_path(struct worker_head *head, const char *name)
{
	char *line = crash_modules.line;
	size_t size = sizeof(crash_modules.line), len;
	size_t used = crash_modules_len(head->paths, sizeof(head->paths));

	line[0] = '\0';
	if (name[0] != '/') {
		crash_modules_append(line, size, crash_modules.folder);
		crash_modules_append(line, size, "/");
	}
	crash_modules_append(line, size, name);
	crash_modules_append(line, size, "\n");
	len = crash_modules_len(line, size);
	if (line[0] != '/' || len >= sizeof(head->paths) - used ||
		strstr(head->paths, line) != NULL)
		return;
	memcpy(head->paths + used, line, len + 1);
}

/* False: the address is in no module, or in the program itself. */
static bool
crash_modules_find(uint64_t address, struct failure_module *m,
	const char **path)
{
	struct dl_find_object found;
	const struct link_map *map;
	const char *name;
	size_t len;

	if (_dl_find_object((void *)(uintptr_t)address, &found) != 0)
		return false;
	map = found.dlfo_link_map;
	if (map == NULL || map->l_name == NULL || map->l_name[0] == '\0')
		return false;
	*path = name = map->l_name;
	for (const char *at = name; *at != '\0'; at++)
		if (*at == '/')
			name = at + 1;
	m->start = (uintptr_t)found.dlfo_map_start;
	m->end = (uintptr_t)found.dlfo_map_end;
	m->bias = map->l_addr;
	len = crash_modules_len(name, sizeof(m->name) - 1);
	memcpy(m->name, name, len);
	m->name[len] = '\0';
	return true;
}

/* Another library may lie where a known one was closed. */
static bool
crash_modules_is_known(const struct failure_module *m)
{
	for (uint32_t i = 0; i < crash_modules.known_n; i++)
		if (crash_modules_is(&crash_modules.known[i], m))
			return true;
	return false;
}

/* The place of a module in the map; NULL: it is there, or there is no room. */
static struct failure_module *
crash_modules_place(struct worker_head *head, const struct failure_module *m)
{
	uint32_t n = head->map_n;

	for (uint32_t i = 0; i < n && i < FAILURE_MODULES_MAX; i++) {
		struct failure_module *old = &head->map[i];

		if (crash_modules_is(old, m))
			return NULL;
		/* A part of the runtime lies in a module. */
		if (old->name[0] != '/' && old->start < m->end &&
			old->end > m->start)
			return old;
	}
	if (n >= FAILURE_MODULES_MAX)
		return NULL;
	head->map_n = n + 1;
	return &head->map[n];
}

static void
crash_modules_add_frame(struct worker_head *head, uint64_t frame)
{
	struct failure_module *place, m = { .start = 0 };
	const char *path;

	if (!crash_modules_find(frame, &m, &path) || crash_modules_is_known(&m))
		return;
	place = crash_modules_place(head, &m);
	if (place == NULL)
		return;
	memcpy(place, &m, sizeof(m));
	crash_modules_note_path(head, path);
}

void
crash_modules_add(struct worker_head *head)
{
	uint32_t n = head->failure.frames_n;

	if (_dl_find_object == NULL || crash_modules.busy)
		return;
	crash_modules.busy = true;
	for (uint32_t i = 0; i < n && i < FAILURE_FRAMES_MAX; i++)
		crash_modules_add_frame(head, head->failure.frames[i]);
	crash_modules.busy = false;
}

#else

void
crash_modules_add(struct worker_head *head)
{
}

#endif
