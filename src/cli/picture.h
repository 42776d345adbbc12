/* SPDX-License-Identifier: MIT */
/* Writes pictures: PNG, by libpng. */
#ifndef PASSTIME_CLI_PICTURE_H
#define PASSTIME_CLI_PICTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Writes width * height pixels of sRGB RGBA, the top row first, to the file `path`. On failure it
 * returns false with one line in `error`, and leaves no half-written file behind.
 */
bool picture_write_png(const char *path, const uint8_t *rgba, uint32_t width_pixels,
                       uint32_t height_pixels, char *error, size_t error_bytes);

#endif
