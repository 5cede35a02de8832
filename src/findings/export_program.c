/*
 * export_program: see export_program.h. Inputs are copied to the heap, so that
 * reads beyond their ends are noticed. A typed target is called through the
 * structure that CFUZZ_TARGET() makes, because its function may be static. The
 * program is C and C++: a target in C++ is compiled with it in one command.
 */
#include "findings/export_program.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"
#include "worker/inputs/input_text.h"

#define BYTES_A_LINE 12u

/*
 * The text goes into a C comment, which it must not end, nor seem to begin. A
 * slash beside an asterisk becomes an octal escape: a call stays true, because
 * it has such slashes only in strings.
 */
static char *
program_comment_of(const char *text)
{
	char *copy = xcalloc(strlen(text) * strlen("\\057") + 1, 1), *to = copy;
	const char *at;

	for (at = text; *at != '\0'; at++)
		if (*at == '/' &&
			(at[1] == '*' || (at > text && at[-1] == '*')))
			to = stpcpy(to, "\\057");
		else
			*to++ = *at;
	return copy;
}

/* An array, which always has at least one byte. */
static void
program_put_array(FILE *out, const uint8_t *data, size_t len)
{
	size_t i;

	fputs("[] = {\n", out);
	for (i = 0; i < len; i++)
		fprintf(out, "%s0x%02x,",
			i % BYTES_A_LINE != 0 ? " "
				: i == 0      ? "\t"
					      : "\n\t",
			data[i]);
	fputs(len == 0 ? "\t0,\n};\n\n" : "\n};\n\n", out);
}

/* clang-format off */
/* The end of both programs; run: the call for input i. */
#define EXPORT_MAIN(run)                                                    \
	"\n"                                                                \
	"int\n"                                                             \
	"main(int argc, char **argv)\n"                                     \
	"{\n"                                                               \
	"\tsize_t i;\n"                                                     \
	"\n"                                                                \
	"\tif (LLVMFuzzerInitialize)\n"                                     \
	"\t\tLLVMFuzzerInitialize(&argc, &argv);\n"                         \
	"\tfor (i = 0; i < sizeof(inputs) / sizeof(inputs[0]); i++)\n"      \
	"\t\t" run ";\n"                                                    \
	"\treturn 0;\n"                                                     \
	"}\n"

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

/* cfuzz.h has them for typed targets. */
static const char DECLARATIONS[] =
	"#ifdef __cplusplus\n"
	"extern \"C\" {\n"
	"#endif\n"
	"int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);\n"
	"__attribute__((weak)) int LLVMFuzzerInitialize(int *argc,\n"
	"\tchar ***argv);\n"
	"void cfuzz_fail(const char *format, ...);\n"
	"#ifdef __cplusplus\n"
	"}\n"
	"#endif\n"
	"\n";

static const char PROGRAM[] =
	"static void\n"
	"run(const unsigned char *input, size_t len)\n"
	"{\n"
	"\t/* On the heap: what reads beyond its end is noticed. */\n"
	"\tuint8_t *data = (uint8_t *)malloc(len);\n"
	"\n"
	"\tif (data == NULL && len > 0)\n"
	"\t\texit(2);\n"
	"\tif (len > 0)\n"
	"\t\tmemcpy(data, input, len);\n"
	"\tLLVMFuzzerTestOneInput(data, len);\n"
	"\tfree(data);\n"
	"}\n"
	EXPORT_MAIN("run(inputs[i].data, inputs[i].len)");
/* clang-format on */

static void
program_put_head(FILE *out, const struct export_program *p)
{
	char *title = program_comment_of(p->title);

	fprintf(out,
		"/*\n"
		" * %s\n"
		" *\n",
		title);
	if (p->n > 1)
		fprintf(out,
			" * The %zu inputs that have to run in a row, as a "
			"program.",
			p->n);
	else
		fprintf(out, " * The %sinput as a program.",
			p->small ? "minimized " : "");
	free(title);
}

static void
program_plain(FILE *out, const struct export_program *p)
{
	size_t i;

	program_put_head(out, p);
	fputs(" Compile it with the code\n"
	      " * of the target, without a fuzzer (in C++, with c++):\n"
	      " * cc -g -fsanitize=address input.c target.c\n"
	      " */\n"
	      "#include <stdarg.h>\n"
	      "#include <stddef.h>\n"
	      "#include <stdint.h>\n"
	      "#include <stdio.h>\n"
	      "#include <stdlib.h>\n"
	      "#include <string.h>\n\n",
		out);
	for (i = 0; i < p->n; i++) {
		fprintf(out, "static const unsigned char input_%zu", i + 1);
		program_put_array(out, p->inputs[i].data, p->inputs[i].len);
	}
	fputs("static const struct {\n"
	      "\tconst unsigned char *data;\n"
	      "\tsize_t len;\n"
	      "} inputs[] = {\n",
		out);
	for (i = 0; i < p->n; i++)
		fprintf(out, "\t{ input_%zu, %zu },\n", i + 1,
			p->inputs[i].len);
	fprintf(out, "};\n\n%s%s%s", DECLARATIONS, FAIL, PROGRAM);
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
	"\tdata = (char *)malloc(value->size + string);\n"
	"\tif (data == NULL && value->size + string > 0)\n"
	"\t\texit(2);\n"
	"\tif (value->size > 0)\n"
	"\t\tmemcpy(data, value->data, value->size);\n"
	"\tif (string)\n"
	"\t\tdata[value->size] = '\\0';\n"
	"\tvalue->data = data;\n"
	"}\n"
	"\n"
	"static void\n"
	"run(struct cfuzz_value *values)\n"
	"{\n"
	"\tsize_t i;\n"
	"\n"
	"\tfor (i = 0; i < VALUES; i++)\n"
	"\t\tmove(&values[i]);\n"
	"\tcfuzz_target.call(values);\n"
	"\tfor (i = 0; i < VALUES; i++)\n"
	"\t\tfree((void *)values[i].data);\n"
	"}\n"
	EXPORT_MAIN("run(inputs[i])");
/* clang-format on */

static void
program_put_row(FILE *out, const struct value *value, size_t input, uint32_t i)
{
	const char *type = value->type == VALUE_BYTES
		? "bytes"
		: value_type_name(value->type);

	if (value_type_is_bytes(value->type))
		fprintf(out,
			"\t{ cfuzz_tag_%s, 0, bytes_%zu_%" PRIu32 ", %zu },\n",
			type, input, i, value->len);
	else
		fprintf(out,
			"\t{ cfuzz_tag_%s, UINT64_C(0x%" PRIx64
			"), NULL, 0 },\n",
			type, value_get_bits(value));
}

/* The input is a tuple of this program's types. */
static void
program_put_values(FILE *out, const struct export_program *p, size_t input)
{
	const struct export_input *from = &p->inputs[input - 1];
	struct value values[TUPLE_MAX];
	struct tuple tuple = { 0 };
	uint32_t i;

	if (!tuple_parse_as(from->data, from->len, p->types, &tuple))
		return;
	for (i = 0; i < tuple.n; i++) {
		values[i] = tuple_value(from->data, &tuple.fields[i]);
		if (!value_type_is_bytes(values[i].type))
			continue;
		fprintf(out, "static const unsigned char bytes_%zu_%" PRIu32,
			input, i);
		program_put_array(out, values[i].data, values[i].len);
	}
	fprintf(out, "static struct cfuzz_value values_%zu[] = {\n", input);
	for (i = 0; i < tuple.n; i++)
		program_put_row(out, &values[i], input, i);
	fputs("};\n\n", out);
}

static void
program_put_calls(FILE *out, const struct export_program *p)
{
	char *call, *clean;
	size_t i;

	fputs(p->n > 1 ? " * As calls they are:\n" : " * As a call it is:\n",
		out);
	for (i = 0; i < p->n; i++) {
		call = input_call(p->types, p->function, p->inputs[i].data,
			p->inputs[i].len);
		clean = program_comment_of(call);
		fprintf(out, " * %s\n",
			clean[0] != '\0' ? clean : "too long to be read");
		free(clean);
		free(call);
	}
}

static void
program_typed(FILE *out, const struct export_program *p)
{
	size_t i;

	program_put_head(out, p);
	fputs(" Compile it with the code\n"
	      " * of the target and with the folder of cfuzz.h, without a "
	      "fuzzer\n"
	      " * (in C++, with c++):\n"
	      " * cc -g -fsanitize=address -I FOLDER input.c target.c\n"
	      " *\n",
		out);
	program_put_calls(out, p);
	fprintf(out,
		" */\n"
		"#include <cfuzz.h>\n"
		"#include <stdarg.h>\n"
		"#include <stdio.h>\n"
		"#include <stdlib.h>\n\n"
		"#define VALUES %" PRIu32 "\n\n",
		p->types->n);
	for (i = 1; i <= p->n; i++)
		program_put_values(out, p, i);
	fputs("static struct cfuzz_value *const inputs[] = {\n", out);
	for (i = 1; i <= p->n; i++)
		fprintf(out, "\tvalues_%zu,\n", i);
	fprintf(out, "};\n\n%s%s", FAIL, TYPED_PROGRAM);
}

static bool
program_is_typed(const struct export_program *p)
{
	size_t i;

	for (i = 0; i < p->n; i++)
		if (!input_is_sound(p->types, p->inputs[i].data,
			    p->inputs[i].len))
			return false;
	return p->types->n > 0;
}

char *
export_program(const struct export_program *p)
{
	char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);

	if (out == NULL)
		return NULL;
	if (program_is_typed(p))
		program_typed(out, p);
	else
		program_plain(out, p);
	if (fclose(out) == 0)
		return text;
	free(text);
	return NULL;
}
