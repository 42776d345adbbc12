/* SPDX-License-Identifier: MIT */
/*
 * One line of a report under construction. It counts the columns that the line takes on a terminal,
 * which bytes, code points and escapes are not, and lets nothing through that would move the
 * cursor.
 */
#ifndef PASSTIME_SINK_REPORT_LINE_H
#define PASSTIME_SINK_REPORT_LINE_H

#include "sink/report.h"

enum { PASSTIME_LINE_BYTES = 2048 };

enum passtime_colour {
    PASSTIME_COLOUR_NONE = 0,
    PASSTIME_COLOUR_BOLD,
    PASSTIME_COLOUR_DIM,
    PASSTIME_COLOUR_RED,
    PASSTIME_COLOUR_DARK_RED, /* for the next to one that is red */
    PASSTIME_COLOUR_GREEN,
    PASSTIME_COLOUR_YELLOW,
    PASSTIME_COLOUR_SERIES /* and further: one for each of the passes, in turn */
};

struct passtime_line {
    const struct passtime_report_style *style;
    size_t bytes;
    uint32_t columns;
    char text[PASSTIME_LINE_BYTES]; /* always ends in a zero */
};

/* Signs that have an ASCII form. */
enum passtime_sign {
    PASSTIME_SIGN_DASH,
    PASSTIME_SIGN_DOT,
    PASSTIME_SIGN_PLUS_MINUS,
    PASSTIME_SIGN_ELLIPSIS,
    PASSTIME_SIGN_MICROSECONDS,
    PASSTIME_SIGN_BRANCH,
    PASSTIME_SIGN_LAST_BRANCH,
    PASSTIME_SIGN_TRUNK,
    PASSTIME_SIGN_RULE,
    PASSTIME_SIGN_CORNER,
    PASSTIME_SIGN_BLOCK
};

void passtime_line_begin(struct passtime_line *line, const struct passtime_report_style *style);
/* Appends text; control characters and bad UTF-8 become '?', and in ASCII all that is not ASCII. */
void passtime_line_text(struct passtime_line *line, const char *text);
/* Appends at most `columns` columns of text; a longer one ends in an ellipsis. */
void passtime_line_cut(struct passtime_line *line, const char *text, uint32_t columns);
void passtime_line_printf(struct passtime_line *line, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void passtime_line_sign(struct passtime_line *line, enum passtime_sign sign);
/* Appends blanks up to that column; none where the line is there already. */
void passtime_line_pad(struct passtime_line *line, uint32_t column);
/* Switches colour; takes no columns. */
void passtime_line_colour(struct passtime_line *line, uint32_t colour);
/* Writes the line, blanks at its end removed, with a newline, and begins it anew. */
void passtime_line_end(struct passtime_line *line, FILE *out);

/* Appends words broken into lines at the style's width; further lines begin at `indent`. */
void passtime_line_wrapped(struct passtime_line *line, FILE *out, const char *text,
                           uint32_t indent);

/* Columns that text takes. */
uint32_t passtime_text_columns(const char *text, bool unicode);
const char *passtime_sign_text(enum passtime_sign sign, bool unicode);

/* A bar `columns` wide, filled by `part` (0 to 1), in eighths of a column where Unicode allows. */
void passtime_line_bar(struct passtime_line *line, double part, uint32_t columns);

/* Digits after the point that show `value` with three or four that count, at most `most`. */
int passtime_decimals(double value, int most);
/* A time on its own, with its unit: "12.84 ms". */
void passtime_line_time(struct passtime_line *line, double ns);

#endif
