/* fake_afl: see fake_afl.h. */
#include "lib/fake_afl.h"

#include <unistd.h>

uint32_t
fake_afl_hear(void)
{
	uint32_t word = 0;

	if (read(198, &word, sizeof(word)) != (ssize_t)sizeof(word))
		_exit(0);
	return word;
}

void
fake_afl_say(int32_t word)
{
	if (write(199, &word, sizeof(word)) != (ssize_t)sizeof(word))
		_exit(0);
}
