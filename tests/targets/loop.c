/*
 * loop: a program that runs its inputs in a loop; the first byte says what an
 * input does. VARIANTS: asan
 */
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include <cfuzz.h>

static void
leave(int signo)
{
	_exit(0);
}

int
main(void)
{
	const unsigned char *data = cfuzz_testcase();
	unsigned inputs = 0;

	while (cfuzz_loop(5)) {
		char what = (char)(cfuzz_testcase_len() > 0 ? data[0] : 0);

		inputs++;
		if (what == 'n')
			cfuzz_fail("%u inputs", inputs);
		if (what == 'a')
			abort();
		if (what == 'e')
			exit(3);
		if (what == 'z')
			exit(0);
		if (what == 'u')
			signal(SIGUSR1, leave);
		if (what == '_')
			_exit(3);
		if (what == 'r')
			break;
		if (what == 'f' && fork() == 0)
			continue;
	}
	return 3;
}
