/* SPDX-License-Identifier: MIT */
/*
 * The part of <string.h> that the core uses, for a WebAssembly build without a C library. The build
 * for wasm32 puts this folder on its include path; string.c defines what the compiler leaves as a
 * call.
 */
#ifndef PASSTIME_PORT_WASM_STRING_H
#define PASSTIME_PORT_WASM_STRING_H

#include <stddef.h>

void *memcpy(void *restrict to, const void *restrict from, size_t bytes);
void *memmove(void *to, const void *from, size_t bytes);
void *memset(void *to, int value, size_t bytes);
int memcmp(const void *a, const void *b, size_t bytes);
void *memchr(const void *in, int value, size_t bytes);
size_t strlen(const char *text);
int strcmp(const char *a, const char *b);

#endif
