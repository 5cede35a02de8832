/*
 * text_blocks: the blocks of libraries that two compilers have made, against
 * the disassembler; texts without functions, and damaged functions.
 */

#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "lib/blocks_part.h"
#include "target/traps/instruction.h"
#include "target/traps/text_blocks.h"

#define OFFSETS_MAX 65536

struct module {
	uintptr_t bias;
	struct text text;
	struct functions functions;
	uintptr_t head;
	size_t head_size;
};

static int
on_module(struct dl_phdr_info *info, size_t size, void *arg)
{
	struct module *module = arg;
	struct text *text = &module->text;

	if (info->dlpi_addr != module->bias)
		return 0;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		uintptr_t at = info->dlpi_addr + p->p_vaddr;

		if (p->p_type == PT_GNU_EH_FRAME) {
			module->head = at;
			module->head_size = p->p_memsz;
		}
		if (p->p_type != PT_LOAD)
			continue;
		text->readable[text->readable_n++] =
			(struct text_range){ at, at + p->p_memsz };
		if (p->p_flags & PF_X) {
			text->start = (const uint8_t *)at;
			text->size = p->p_memsz;
		}
	}
	return 1;
}

static void
find_module(struct module *module, uintptr_t bias)
{
	const struct text_range *range;

	*module = (struct module){ .bias = bias };
	assert_int_equal(dl_iterate_phdr(on_module, module), 1);
	module->text.functions = &module->functions;
	range = module->text.readable;
	while (module->head < range->start || module->head >= range->end)
		range++;
	assert_true(functions_open(&module->functions,
		(const uint8_t *)module->head, module->head_size, range->start,
		range->end));
}

/* The starts of instructions as objdump finds them; 0 ends the list. */
static void
list_instructions(const char *path, unsigned long *offsets)
{
	char command[8192], line[256];
	FILE *lines;
	size_t n = 0;

	snprintf(command, sizeof(command),
		"objdump -d '%s' | sed -n 's/^ *\\([0-9a-f]*\\):.*/\\1/p'",
		path);
	lines = popen(command, "r");
	assert_non_null(lines);
	while (fgets(line, sizeof(line), lines) != NULL && n < OFFSETS_MAX - 1)
		offsets[n++] = strtoul(line, NULL, 16);
	offsets[n] = 0;
	assert_int_equal(pclose(lines), 0);
	assert_true(n > 100);
}

static void
test_compiled(void **state)
{
	static unsigned long offsets[OFFSETS_MAX];
	struct text_blocks blocks;
	struct blocks_part part;
	struct module module;
	size_t at = 0;

	blocks_part_open(&part, *state);
	find_module(&module, part.bias);
	list_instructions(part.original, offsets);
	assert_true(text_blocks_find(&module.text, &blocks));
	/* Ten cases, and what is around them. */
	assert_in_range(blocks.n, 30, 300);
	assert_int_equal(blocks.doubtful_n, 0);
	for (uint32_t i = 0; i < blocks.n; i++) {
		uintptr_t offset = (uintptr_t)module.text.start - module.bias +
			blocks.offsets[i];

		while (offsets[at] != 0 && offsets[at] < offset)
			at++;
		assert_int_equal(offsets[at], offset);
	}
	blocks_part_close(&part);
}

/* Functions that lie behind the end of the text, or only partly in it. */
static void
test_cut(void **state)
{
	struct text_blocks blocks, whole;
	struct blocks_part part;
	struct module module;
	size_t size;

	blocks_part_open(&part, &BLOCKS_BUILDS[0]);
	find_module(&module, part.bias);
	assert_true(text_blocks_find(&module.text, &whole));
	size = module.text.size;
	for (module.text.size = 0; module.text.size < size;
		module.text.size += 7) {
		assert_true(text_blocks_find(&module.text, &blocks));
		assert_true(blocks.n <= whole.n);
		for (uint32_t i = 0; i < blocks.n; i++)
			assert_int_equal(blocks.offsets[i], whole.offsets[i]);
	}
	blocks_part_close(&part);
}

/* A library that is no code: only starts of functions may remain. */
static void
test_nonsense(void **state)
{
	struct text_blocks blocks;
	struct blocks_part part;
	struct module module;
	uint8_t *text, *saved;

	blocks_part_open(&part, &BLOCKS_BUILDS[0]);
	find_module(&module, part.bias);
	text = (uint8_t *)(uintptr_t)module.text.start;
	saved = malloc(module.text.size);
	assert_non_null(saved);
	memcpy(saved, text, module.text.size);
	assert_int_equal(mprotect(text, module.text.size,
				 PROT_READ | PROT_WRITE | PROT_EXEC),
		0);
	memset(text, 0x06, module.text.size);
	assert_true(text_blocks_find(&module.text, &blocks));
	assert_true(blocks.n > 0);
	assert_int_equal(blocks.n, blocks.functions_n);
	assert_int_equal(blocks.n, blocks.doubtful_n);
	memcpy(text, saved, module.text.size);
	free(saved);
	blocks_part_close(&part);
}

int
main(void)
{
	struct CMUnitTest tests[BLOCKS_BUILDS_N + 2] = { 0 };

	if (!instruction_is_known())
		return 0;
	for (size_t i = 0; i < BLOCKS_BUILDS_N; i++)
		tests[i] = (struct CMUnitTest){ BLOCKS_BUILDS[i].name,
			test_compiled, NULL, NULL,
			(void *)(uintptr_t)&BLOCKS_BUILDS[i] };
	tests[BLOCKS_BUILDS_N] = (struct CMUnitTest)cmocka_unit_test(test_cut);
	tests[BLOCKS_BUILDS_N + 1] =
		(struct CMUnitTest)cmocka_unit_test(test_nonsense);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
