/*
 * keyword: a line `name: value`, as in the head of a message. The name must
 * be one word (strcmp), the value must begin with another (strncmp).
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define LINE_MAX_LEN 255

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char line[LINE_MAX_LEN + 1];
	char *value;

	if (size > LINE_MAX_LEN)
		size = LINE_MAX_LEN;
	if (size > 0)
		memcpy(line, data, size);
	line[size] = '\0';
	value = strchr(line, ':');
	if (value == NULL)
		return 0;
	*value++ = '\0';
	if (strcmp(line, "Content-Digest") != 0)
		return 0;
	while (*value == ' ')
		value++;
	if (strncmp(value, "sha-512=", 8) == 0)
		abort();
	return 0;
}
