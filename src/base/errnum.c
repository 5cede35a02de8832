/* errnum: see errnum.h. */

#include "base/errnum.h"

#include <errno.h>

enum status
errnum_status(int errnum)
{
	switch (errnum) {
	case ENOSPC:
	case EDQUOT:
	case EFBIG: /* above this process's RLIMIT_FSIZE */
		return E_FULL;
	case ENOENT:
		return E_NOT_FOUND;
	case EEXIST:
		return E_EXISTS;
	default:
		return E_IO;
	}
}
