/* SPDX-License-Identifier: MIT */
/* PNG by libpng's simplified interface, which reports errors as text and needs no longjmp of ours.
 */
#include "cli/picture.h"

#include <errno.h>
#include <png.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* Removes what was begun, but never a device or a pipe that the user named as the file. */
static void remove_regular(const char *path)
{
    struct stat status;
    if (stat(path, &status) == 0 && S_ISREG(status.st_mode))
        (void)remove(path);
}

bool picture_write_png(const char *path, const uint8_t *rgba, uint32_t width_pixels,
                       uint32_t height_pixels, char *error, size_t error_bytes)
{
    FILE *file = fopen(path, "wb");
    if (!file) {
        snprintf(error, error_bytes, "cannot write the picture %s: %s; give --png another path",
                 path, strerror(errno));
        return false;
    }
    png_image image = {.version = PNG_IMAGE_VERSION};
    image.width = width_pixels;
    image.height = height_pixels;
    image.format = PNG_FORMAT_RGBA;
    errno = 0;
    int written = png_image_write_to_stdio(&image, file, 0, rgba, 0, NULL);
    int saved = errno;
    /* A full disk may show itself only when the last block is flushed. */
    if (fclose(file) != 0 && written) {
        written = 0;
        saved = errno;
    }
    if (written)
        return true;
    snprintf(error, error_bytes,
             "writing the picture %s failed: %s; free some space or give --png another path", path,
             saved != 0 ? strerror(saved) : image.message);
    remove_regular(path);
    return false;
}
