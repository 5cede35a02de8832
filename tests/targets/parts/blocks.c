/* Functions with all kinds of control flow, for tests of their basic blocks. */

#include <stdlib.h>
#include <string.h>

int blocks_classify(const char *text);
double blocks_sum(const char *text);
int blocks_main(const char *text);

/* A jump table with optimization. */
int
blocks_classify(const char *text)
{
	int n = 0;

	for (; *text != '\0'; text++) {
		switch (*text) {
		case 'a':
			n += 1;
			break;
		case 'b':
			n ^= 2;
			break;
		case 'c':
			n *= 3;
			break;
		case 'd':
			n -= 4;
			break;
		case 'e':
			n |= 5;
			break;
		case 'f':
			n = -n;
			break;
		case 'g':
			n /= 7;
			break;
		case 'h':
			n %= 1000;
			break;
		case 'i':
			n <<= 1;
			break;
		case 'j':
			n >>= 1;
			break;
		default:
			n += *text == '!' ? 100 : 0;
			break;
		}
	}
	return n;
}

double
blocks_sum(const char *text)
{
	double values[64], sum = 0;
	size_t n = strlen(text);

	if (n > 64)
		n = 64;
	for (size_t i = 0; i < n; i++)
		values[i] = text[i] * 0.5;
	for (size_t i = 0; i < n; i++)
		sum += values[i] * values[n - 1 - i];
	return sum;
}

int
blocks_main(const char *text)
{
	if (strncmp(text, "stop", 4) == 0)
		abort();
	if (text[0] == 'x')
		return -1;
	return blocks_classify(text) + (int)blocks_sum(text);
}
