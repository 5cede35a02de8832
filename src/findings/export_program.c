/*
 * export_program: see export_program.h. The input is copied to the heap, so
 * that reads beyond its end are noticed. A typed target is called through the
 * structure that CFUZZ_TARGET() makes, because its function may be static.
 */
#include "findings/export_program.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"
#include "worker/inputs/input_text.h"

#define BYTES_A_LINE 12u
#define LINE_SIZE (BYTES_A_LINE * sizeof("0x00, ") + 8)

/* The text goes into a C comment, which it must not end. */
static char *
program_comment_of(const char *text)
{
	char *copy = xstrdup(text), *at;

	while ((at = strstr(copy, "*/")) != NULL)
		at[1] = '|';
	return copy;
}

/* The initializers of an array, which always has at least one byte. */
static char *
program_array_of(const uint8_t *data, size_t len)
{
	size_t lines = len / BYTES_A_LINE + 1, i, n = 0;
	char *text = xmalloc(lines * LINE_SIZE);

	text[0] = '\0';
	for (i = 0; i < len; i++)
		n += (size_t)sprintf(text + n, "%s0x%02x,",
			i % BYTES_A_LINE != 0 ? " "
				: i == 0      ? "\t"
					      : "\n\t",
			data[i]);
	if (len == 0)
		snprintf(text, LINE_SIZE, "\t0,");
	return text;
}

/* clang-format off */
static const char FAIL[] =
	"/* For targets that say themselves what is wrong. */\n"
	"__attribute__((weak)) void\n"
	"cfuzz_fail(const char *format, ...)\n"
	"{\n"
	"\tva_list args;\n"
	"\n"
	"\tva_start(args, format);\n"
	"\tvfprintf(stderr, format, args);\n"
	"\tva_end(args);\n"
	"\tfputc('\\n', stderr);\n"
	"\tabort();\n"
	"}\n"
	"\n";

static const char PROGRAM[] =
	"int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);\n"
	"__attribute__((weak)) int LLVMFuzzerInitialize(int *argc,\n"
	"\tchar ***argv);\n"
	"\n"
	"int\n"
	"main(int argc, char **argv)\n"
	"{\n"
	"\t/* On the heap: what reads beyond its end is noticed. */\n"
	"\tuint8_t *data = malloc(INPUT_LEN);\n"
	"\n"
	"\tif (data == NULL && INPUT_LEN > 0)\n"
	"\t\treturn 2;\n"
	"\tif (LLVMFuzzerInitialize)\n"
	"\t\tLLVMFuzzerInitialize(&argc, &argv);\n"
	"\tif (INPUT_LEN > 0)\n"
	"\t\tmemcpy(data, input, INPUT_LEN);\n"
	"\tLLVMFuzzerTestOneInput(data, INPUT_LEN);\n"
	"\tfree(data);\n"
	"\treturn 0;\n"
	"}\n";
/* clang-format on */

static char *
program_plain(const char *title, bool small, const uint8_t *data, size_t len)
{
	char *bytes = program_array_of(data, len);
	char *text = xasprintf(
		"/*\n"
		" * %s\n"
		" *\n"
		" * The %sinput as a program. Compile it with the code "
		"of the target, without\n"
		" * a fuzzer: cc -g -fsanitize=address input.c "
		"target.c\n"
		" */\n"
		"#include <stdarg.h>\n"
		"#include <stddef.h>\n"
		"#include <stdint.h>\n"
		"#include <stdio.h>\n"
		"#include <stdlib.h>\n"
		"#include <string.h>\n\n"
		"#define INPUT_LEN %zu\n\n"
		"static const unsigned char input[] = {\n%s\n};\n\n"
		"%s%s",
		title, small ? "minimized " : "", len, bytes, FAIL, PROGRAM);

	free(bytes);
	return text;
}

/* ---- typed targets ------------------------------------------------------- */

/* clang-format off */
static const char TYPED_PROGRAM[] =
	"__attribute__((weak)) int LLVMFuzzerInitialize(int *argc,\n"
	"\tchar ***argv);\n"
	"\n"
	"__attribute__((weak)) void\n"
	"cfuzz_seed(size_t n, const struct cfuzz_value *values)\n"
	"{\n"
	"\t(void)n;\n"
	"\t(void)values;\n"
	"}\n"
	"\n"
	"/* On the heap: what reads beyond its end is noticed. */\n"
	"static void\n"
	"move(struct cfuzz_value *value)\n"
	"{\n"
	"\tint string = value->tag == cfuzz_tag_string;\n"
	"\tchar *data;\n"
	"\n"
	"\tif (!string && value->tag != cfuzz_tag_bytes)\n"
	"\t\treturn;\n"
	"\tdata = malloc(value->size + string);\n"
	"\tif (data == NULL && value->size + string > 0)\n"
	"\t\texit(2);\n"
	"\tif (value->size > 0)\n"
	"\t\tmemcpy(data, value->data, value->size);\n"
	"\tif (string)\n"
	"\t\tdata[value->size] = '\\0';\n"
	"\tvalue->data = data;\n"
	"}\n"
	"\n"
	"int\n"
	"main(int argc, char **argv)\n"
	"{\n"
	"\tsize_t i;\n"
	"\n"
	"\tif (LLVMFuzzerInitialize)\n"
	"\t\tLLVMFuzzerInitialize(&argc, &argv);\n"
	"\tfor (i = 0; i < sizeof(values) / sizeof(values[0]); i++)\n"
	"\t\tmove(&values[i]);\n"
	"\tcfuzz_target.call(values);\n"
	"\tfor (i = 0; i < sizeof(values) / sizeof(values[0]); i++)\n"
	"\t\tfree((void *)values[i].data);\n"
	"\treturn 0;\n"
	"}\n";
/* clang-format on */

/* *text is owned and replaced. */
static void
program_append(char **text, char *take_more)
{
	char *all = xasprintf("%s%s", *text, take_more);

	free(*text);
	free(take_more);
	*text = all;
}

static char *
program_row_of(const struct value *value, uint32_t i)
{
	const char *type = value->type == VALUE_BYTES
		? "bytes"
		: value_type_name(value->type);

	if (value_type_is_bytes(value->type))
		return xasprintf("\t{ cfuzz_tag_%s, 0, bytes_%" PRIu32
				 ", %zu },\n",
			type, i, value->len);
	return xasprintf("\t{ cfuzz_tag_%s, UINT64_C(0x%" PRIx64
			 "), NULL, 0 },\n",
		type, value_get_bits(value));
}

static char *
program_values_of(const struct value *values, uint32_t n)
{
	char *text = xstrdup(""), *bytes;

	for (uint32_t i = 0; i < n; i++) {
		if (!value_type_is_bytes(values[i].type))
			continue;
		bytes = program_array_of(values[i].data, values[i].len);
		program_append(&text,
			xasprintf("static const unsigned char bytes_%" PRIu32
				  "[] = {\n%s\n};\n\n",
				i, bytes));
		free(bytes);
	}
	program_append(&text,
		xstrdup("static struct cfuzz_value values[] = {\n"));
	for (uint32_t i = 0; i < n; i++)
		program_append(&text, program_row_of(&values[i], i));
	program_append(&text, xstrdup("};\n\n"));
	return text;
}

/* take_call is put into a comment. */
static char *
program_typed(const struct tuple *tuple, const char *title, bool small,
	const uint8_t *data, char *take_call)
{
	struct value values[TUPLE_MAX];
	char *rows, *call = program_comment_of(take_call), *text;

	for (uint32_t i = 0; i < tuple->n; i++)
		values[i] = tuple_value(data, &tuple->fields[i]);
	rows = program_values_of(values, tuple->n);
	text = xasprintf(
		"/*\n"
		" * %s\n"
		" *\n"
		" * The %sinput as a program. Compile it with the code "
		"of the target and with\n"
		" * the folder of cfuzz.h, without a fuzzer:\n"
		" * cc -g -fsanitize=address -I FOLDER input.c target.c\n"
		" *\n"
		" * As a call it is:\n"
		" * %s\n"
		" */\n"
		"#include <cfuzz.h>\n"
		"#include <stdarg.h>\n"
		"#include <stdio.h>\n"
		"#include <stdlib.h>\n\n"
		"%s%s%s",
		title, small ? "minimized " : "",
		call[0] != '\0' ? call : "too long to be read", rows, FAIL,
		TYPED_PROGRAM);
	free(rows);
	free(call);
	free(take_call);
	return text;
}

char *
export_program(const struct tuple_types *types, const char *function,
	const char *title, bool small, const uint8_t *data, size_t len)
{
	char *clean = program_comment_of(title), *text;
	struct tuple tuple;

	if (types->n > 0 && tuple_parse_as(data, len, types, &tuple))
		text = program_typed(&tuple, clean, small, data,
			input_call(types, function, data, len));
	else
		text = program_plain(clean, small, data, len);
	free(clean);
	return text;
}
