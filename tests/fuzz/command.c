/* command: a line that a key, a user or a script gives to the engine. */
#include "control/command.h"
#include "fuzz/fuzz.h"

int fuzz_command(const uint8_t *data, size_t size);

int
fuzz_command(const uint8_t *data, size_t size)
{
	char *line = fuzz_text(data, size);
	struct command command;
	struct error err = { 0 };

	if (command_parse(line, &command, &err) == OK) {
		const struct command_row *row = command_row(command.id);

		FUZZ_CHECK(command.argc >= row->min_args);
		for (int i = 0; i < command.argc; i++)
			FUZZ_CHECK(strlen(command.argv[i]) < COMMAND_LINE_MAX);
	}
	free(line);
	return 0;
}

FUZZ_TARGET(command)
