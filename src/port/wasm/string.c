/* SPDX-License-Identifier: MIT */
/* Plain loops and bulk-memory instructions: names are short, and this code is rarely on the hot
 * path. */
#include "string.h"

void *memcpy(void *restrict to, const void *restrict from, size_t bytes)
{
    return __builtin_memcpy(to, from, bytes);
}

void *memmove(void *to, const void *from, size_t bytes)
{
    return __builtin_memmove(to, from, bytes);
}

void *memset(void *to, int value, size_t bytes)
{
    return __builtin_memset(to, value, bytes);
}

int memcmp(const void *a, const void *b, size_t bytes)
{
    const unsigned char *left = a;
    const unsigned char *right = b;
    for (size_t i = 0; i < bytes; i++) {
        if (left[i] != right[i]) {
            return left[i] < right[i] ? -1 : 1;
        }
    }
    return 0;
}

void *memchr(const void *in, int value, size_t bytes)
{
    const unsigned char *at = in;
    for (size_t i = 0; i < bytes; i++) {
        if (at[i] == (unsigned char)value) {
            return (void *)(at + i);
        }
    }
    return NULL;
}

size_t strlen(const char *text)
{
    size_t length = 0;
    while (text[length] != '\0') {
        length++;
    }
    return length;
}

int strcmp(const char *a, const char *b)
{
    while (*a != '\0' && *a == *b) {
        a++;
        b++;
    }
    return (unsigned char)*a - (unsigned char)*b;
}
