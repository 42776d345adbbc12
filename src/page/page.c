/* SPDX-License-Identifier: MIT */
/* A page in a browser of our own: starting and ending it. */
#include "page/page.h"

#include <string.h>

#include "page_generated/inject.js.h"

size_t passtime_page_script_bytes(void);

size_t passtime_page_script_bytes(void)
{
    return strlen(inject_js);
}
