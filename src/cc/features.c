/* features: see features.h. */
#include "cc/features.h"

#include <stdbool.h>
#include <stddef.h>

/* clang-format off */
static const struct feature {
	const char *name;
	bool has[2];		/* by compiler_kind: clang, gcc */
	const char *note[2];	/* NULL: none */
} features[] = {
	{ "coverage",		{ true, true }, {
		"of edges, counted inside the code",
		"of basic blocks, counted by a call each" } },
	{ "inline counters",	{ true, false }, {
		"cheapest way to count; they wrap at 256",
		"counting by calls is slower; counts stop at 255" } },
	{ "table of edges",	{ true, false }, {
		"totals and places come from the compiler",
		"they are found in the machine code when the target starts" } },
	{ "compared numbers",	{ true, true }, {
		"comparisons, switches: what they want is tried",
		"comparisons, switches: what they want is tried" } },
	{ "compared strings",	{ true, true }, {
		"memcmp(), strcmp() and the like, in C++ also std::string",
		"memcmp(), strcmp() and the like, in C++ also std::string" } },
	{ "AddressSanitizer",	{ true, true },  { NULL, NULL } },
	{ "UBSan",		{ true, true },  { NULL, NULL } },
	{ "ThreadSanitizer",	{ true, true },  { NULL, NULL } },
	{ "MemorySanitizer",	{ true, false }, { NULL, "only clang has it" } },
	{ "fuzzer-no-link",	{ true, true }, {
		"objects built by clang itself link as well",
		"objects built by clang itself link as well" } },
};
/* clang-format on */

#define N_FEATURES (sizeof(features) / sizeof(features[0]))

void
features_print(FILE *out, enum compiler_kind compiler, const char *version)
{
	fprintf(out, "compiler: %s\n", version);
	for (size_t i = 0; i < N_FEATURES; i++) {
		const struct feature *f = &features[i];
		const char *note = f->note[compiler];

		fprintf(out, "%-17s %-3s%s%s\n", f->name,
			f->has[compiler] ? "yes" : "no",
			note == NULL ? "" : "  ", note == NULL ? "" : note);
	}
	if (compiler == COMPILER_GCC)
		fputs("Install clang, or name one in CFUZZ_CC and CFUZZ_CXX, "
		      "to have all of them.\n",
			out);
}

void
features_print_note(FILE *out)
{
	const char *separator = "";

	fputs("cfuzz-cc: note: built by gcc, with ", out);
	for (size_t i = 0; i < N_FEATURES; i++) {
		if (features[i].has[COMPILER_GCC])
			continue;
		fprintf(out, "%sno %s", separator, features[i].name);
		separator = ", ";
	}
	fputs("; clang gives them (see cfuzz-cc --features)\n", out);
}
