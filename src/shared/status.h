/*
 * status: how every function of the project reports failure.
 *
 * A function that can fail returns an enum status and takes a struct error
 * last. The function that notices the failure words it once with error_set();
 * its callers only put context in front with error_wrap(). A caller that does
 * not need the message passes NULL.
 */
#ifndef CFUZZ_SHARED_STATUS_H
#define CFUZZ_SHARED_STATUS_H

#define MUST_CHECK __attribute__((warn_unused_result))

#define ERROR_TEXT_MAX 1024 /* with the NUL; longer messages are cut */

enum status {
	OK = 0,
	E_USAGE,    /* the user's command line or command is wrong */
	E_TARGET,   /* the target cannot be used or does not behave */
	E_IO,       /* a file, pipe or socket failed */
	E_FULL,     /* a buffer, table or disk has no room left */
	E_FORMAT,   /* text or a message cannot be parsed */
	E_RANGE,    /* a number is out of range */
	E_NOMEM,    /* no memory */
	E_PROTOCOL, /* a peer broke the protocol */
	E_STATE,    /* not possible now */
	E_NOT_FOUND,
	E_EXISTS,
	E_BUSY,     /* in use, or the answer comes later */
	E_INTERNAL, /* a bug of cfuzz */
};

struct error {
	enum status code;
	char text[ERROR_TEXT_MAX];
};

void error_clear(struct error *err);

/*
 * Store code and message, unless err is NULL or already holds a message (the
 * first one wins). Returns code, so that failing is one line.
 */
enum status error_set(struct error *err, enum status code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * Put context before the message in err: "context: message". Returns the code
 * in err, or E_INTERNAL if err is NULL or holds none.
 */
enum status error_wrap(struct error *err, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

#endif
