/* utf8_width: columns of each Unicode character, see utf8_width.h. */

#include "base/utf8_width.h"

#include <stdbool.h>

#include <utf8proc.h>

/* Characters that are invisible by design: fillers, variation selectors. */
static bool
utf8_is_filler(uint32_t code)
{
	return code == 0x34f || code == 0x115f || code == 0x1160 ||
		code == 0x17b4 || code == 0x17b5 ||
		(code >= 0x180b && code <= 0x180f) || code == 0x3164 ||
		(code >= 0xfe00 && code <= 0xfe0f) || code == 0xffa0 ||
		(code >= 0xe0100 && code <= 0xe01ef);
}

/* Vowels and finals that join the Hangul syllable before them. */
static bool
utf8_joins_syllable(uint32_t code)
{
	return code >= 0x1161 && code <= 0x11ff;
}

int
utf8_width(uint32_t code)
{
	if (code >= 0x20 && code < 0x7f)
		return 1;
	if (code > UTF8_CODE_MAX || utf8_is_filler(code))
		return -1;
	switch (utf8proc_category((utf8proc_int32_t)code)) {
	case UTF8PROC_CATEGORY_CN:
	case UTF8PROC_CATEGORY_ZL:
	case UTF8PROC_CATEGORY_ZP:
	case UTF8PROC_CATEGORY_CC:
	case UTF8PROC_CATEGORY_CF:
	case UTF8PROC_CATEGORY_CS:
	case UTF8PROC_CATEGORY_CO:
		return -1;
	case UTF8PROC_CATEGORY_MN:
	case UTF8PROC_CATEGORY_ME:
		return 0;
	default:
		if (utf8_joins_syllable(code))
			return 0;
		return utf8proc_charwidth((utf8proc_int32_t)code) == 2 ? 2 : 1;
	}
}
