/* SPDX-License-Identifier: MIT */
/* Short texts; see text.h. */
#include "sink/text.h"

size_t passtime_text_add(char *out, size_t size, size_t used, const char *text)
{
    for (; *text != '\0' && used + 1 < size; text++)
        out[used++] = *text;
    out[used] = '\0';
    return used;
}

size_t passtime_text_add_u64(char *out, size_t size, size_t used, uint64_t value)
{
    char digits[21];
    size_t at = sizeof digits - 1;
    digits[at] = '\0';
    do {
        digits[--at] = (char)('0' + value % 10);
        value /= 10;
    } while (value != 0);
    return passtime_text_add(out, size, used, digits + at);
}
