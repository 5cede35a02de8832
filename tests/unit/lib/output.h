/*
 * output: keeps the text that a function of this process prints.
 */
#ifndef CFUZZ_TESTS_OUTPUT_H
#define CFUZZ_TESTS_OUTPUT_H

#define OUTPUT_MAX 65536

struct output {
	int saved[2], files[2];
	char out[OUTPUT_MAX], err[OUTPUT_MAX]; /* after output_end() */
};

/* Checks of a test belong after output_end(): cmocka prints as well. */
void output_begin(struct output *output);
void output_end(struct output *output);

#endif
