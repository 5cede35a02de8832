/* blocks_part: see blocks_part.h. */

#include "lib/blocks_part.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const struct blocks_build BLOCKS_BUILDS[BLOCKS_BUILDS_N] = {
	{ "gcc -O0", "gcc", "-O0", 0 },
	{ "gcc -O2", "gcc", "-O2", 0 },
	{ "gcc -O2, stripped", "gcc", "-O2", 1 },
	{ "clang -O0", "clang", "-O0", 0 },
	{ "clang -O2", "clang", "-O2", 0 },
	{ "clang -O2, stripped", "clang", "-O2", 1 },
};

static void
blocks_part_build(struct blocks_part *part, const struct blocks_build *build)
{
	const char *source = getenv("CFUZZ_SRC"), *to = getenv("CFUZZ_BUILD");
	char command[32768];

	snprintf(command, sizeof(command), "command -v %s >/dev/null",
		build->cc);
	if (system(command) != 0)
		skip();
	snprintf(part->original, sizeof(part->original),
		"%s/tests/parts/blocks-%d-%d.so", to != NULL ? to : "build",
		(int)getpid(), (int)(build - BLOCKS_BUILDS));
	snprintf(part->path, sizeof(part->path), "%.*s.used.so",
		(int)sizeof(part->path) - 20, part->original);
	snprintf(command, sizeof(command),
		"mkdir -p \"$(dirname '%s')\" && %s %s -shared -fPIC -o '%s' "
		"'%s/tests/targets/parts/blocks.c' && cp '%s' '%s' && %s '%s'",
		part->original, build->cc, build->options, part->original,
		source != NULL ? source : ".", part->original, part->path,
		build->stripped ? "strip" : "test -e", part->path);
	assert_int_equal(system(command), 0);
}

void
blocks_part_open(struct blocks_part *part, const struct blocks_build *build)
{
	struct link_map *map;

	blocks_part_build(part, build);
	part->library = dlopen(part->path, RTLD_NOW);
	assert_non_null(part->library);
	assert_int_equal(dlinfo(part->library, RTLD_DI_LINKMAP, &map), 0);
	part->bias = map->l_addr;
	part->main = (int (*)(const char *))dlsym(part->library, "blocks_main");
	assert_non_null(part->main);
}

void
blocks_part_close(struct blocks_part *part)
{
	dlclose(part->library);
	unlink(part->path);
	unlink(part->original);
}
