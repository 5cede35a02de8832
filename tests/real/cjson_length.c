/* cjson_length: cJSON as a target, of a text that no byte 0 ends. */
#include <stdint.h>

#include "cJSON.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	cJSON_Delete(cJSON_ParseWithLength((const char *)data, size));
	return 0;
}
