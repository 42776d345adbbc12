/* SPDX-License-Identifier: MIT */
/* What the terminal can show. */
/* For fileno, ioctl and the codeset of the locale. */
#define _POSIX_C_SOURCE 200809L

#include "cli/terminal.h"

#include <langinfo.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { WIDTH_DEFAULT = 80, WIDTH_MAX = 120 };

static uint32_t width_of(FILE *stream)
{
    struct winsize size = {0};
    const char *text = getenv("COLUMNS");
    long columns = 0;
    if (ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        columns = size.ws_col;
    else if (text)
        columns = strtol(text, NULL, 10);
    if (columns < 40 || columns > 10000)
        columns = WIDTH_DEFAULT;
    return columns > WIDTH_MAX ? WIDTH_MAX : (uint32_t)columns;
}

bool terminal_is_interactive(FILE *stream)
{
    const char *kind = getenv("TERM");
    return isatty(fileno(stream)) && kind && kind[0] && strcmp(kind, "dumb") != 0;
}

struct passtime_report_style terminal_style(FILE *stream)
{
    const char *no_color = getenv("NO_COLOR");
    struct passtime_report_style style = {.width_columns = width_of(stream)};
    style.unicode = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
    style.colour = terminal_is_interactive(stream) && !(no_color && no_color[0]);
    return style;
}
