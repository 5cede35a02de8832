/*
 * clipboard: how a terminal is asked to keep a text for pasting.
 */
#ifndef CFUZZ_UI_TERM_CLIPBOARD_H
#define CFUZZ_UI_TERM_CLIPBOARD_H

/* OSC 52 with the text in base64, so nothing in it acts on the terminal. A new
 * string. */
char *clipboard_line(const char *text);

#endif
