/*
 * cjson: cJSON as a target. What can be parsed is printed in both forms; the
 * printed text must be accepted again.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cJSON.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What we printed ourselves must be JSON. */
static void
check_printed(char *printed)
{
	cJSON *again;

	if (printed == NULL)
		return;
	again = cJSON_Parse(printed);
	if (again == NULL)
		abort();
	cJSON_Delete(again);
	cJSON_Minify(printed);
	free(printed);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);
	const char *end = NULL;
	cJSON *tree;

	if (text == NULL)
		return 0;
	if (size > 0)
		memcpy(text, data, size);
	text[size] = '\0';
	tree = cJSON_ParseWithOpts(text, &end, 0);
	if (tree != NULL) {
		check_printed(cJSON_PrintUnformatted(tree));
		check_printed(cJSON_Print(tree));
		cJSON_Delete(tree);
	}
	free(text);
	return 0;
}
