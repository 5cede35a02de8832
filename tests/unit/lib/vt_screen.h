/*
 * vt_screen: what a terminal shows after the bytes that it received.
 */
#ifndef CFUZZ_TESTS_VT_SCREEN_H
#define CFUZZ_TESTS_VT_SCREEN_H

#include <stdbool.h>
#include <stddef.h>

struct vt_screen;

struct vt_screen *vt_screen_create(int rows, int columns);
void vt_screen_destroy(struct vt_screen *screen);

void vt_screen_write(struct vt_screen *screen, const char *bytes, size_t len);
/* The rows, each with a newline; valid until the next call. */
const char *vt_screen_text(struct vt_screen *screen);
/* Is the text on the screen, within one row? */
bool vt_screen_has(struct vt_screen *screen, const char *text);

#endif
