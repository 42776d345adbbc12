/* SPDX-License-Identifier: MIT */
/* Runs a fuzzer over the files that it is given: the regression test of what fuzzing has found. */
#include "fuzz/fuzz.h"

#include <stdio.h>
#include <stdlib.h>

static int replay(const char *path)
{
    FILE *file = fopen(path, "rb");
    long size = -1;
    if (file != NULL && fseek(file, 0, SEEK_END) == 0)
        size = ftell(file);
    if (size < 0 || fseek(file, 0, SEEK_SET) != 0) {
        (void)fprintf(stderr, "replay: %s can't be read\n", path);
        return 1;
    }
    /* Memory of just that size, so that a read beyond it is seen. */
    uint8_t *bytes = malloc(size > 0 ? (size_t)size : 1);
    const size_t got = bytes != NULL ? fread(bytes, 1, (size_t)size, file) : 0;
    (void)fclose(file);
    if (got == (size_t)size)
        (void)LLVMFuzzerTestOneInput(bytes, got);
    free(bytes);
    return got == (size_t)size ? 0 : 1;
}

int main(int argc, char **argv)
{
    int failed = argc < 2;
    for (int i = 1; i < argc; i++)
        failed |= replay(argv[i]);
    return failed;
}
