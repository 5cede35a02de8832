/*
 * errnum: the status for an errno of the system.
 */
#ifndef CFUZZ_BASE_ERRNUM_H
#define CFUZZ_BASE_ERRNUM_H

#include "shared/status.h"

/* E_FULL for ENOSPC, EDQUOT and EFBIG; E_NOT_FOUND for ENOENT; E_EXISTS for
 * EEXIST; E_IO for all others. */
enum status errnum_status(int errnum);

#endif
