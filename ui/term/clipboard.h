/*
 * clipboard: the escape sequence that fills a terminal's clipboard.
 */
#ifndef CFUZZ_UI_TERM_CLIPBOARD_H
#define CFUZZ_UI_TERM_CLIPBOARD_H

/* OSC 52 with the text in base64, so no byte of the text can act on the
 * terminal. The caller frees the string. */
char *clipboard_line(const char *text);

#endif
