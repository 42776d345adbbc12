/* SPDX-License-Identifier: MIT */
/*
 * For builds with the address sanitizer. Mesa's software drivers hold two small blocks until the
 * process ends, but are unloaded before: the leak checker then finds them without an owner, and
 * can't even name the library in a suppression. A library that stays loaded owns them to the end.
 */
int dlclose(void *library);

/* Takes the place of the C library's function in the whole program. */
__attribute__((visibility("default"))) int dlclose(void *library)
{
    (void)library;
    return 0;
}
