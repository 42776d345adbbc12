/* SPDX-License-Identifier: MIT */
/* Lines of a report: columns counted, colours, signs, bars and numbers. */
#include "sink/report_line.h"

#include <stdarg.h>
#include <string.h>

static const char *const signs[][2] = {
    [PASSTIME_SIGN_DASH] = {"-", "–"},
    [PASSTIME_SIGN_DOT] = {"|", "·"},
    [PASSTIME_SIGN_PLUS_MINUS] = {"+-", "±"},
    [PASSTIME_SIGN_ELLIPSIS] = {"~", "…"},
    [PASSTIME_SIGN_MICROSECONDS] = {"us", "µs"},
    [PASSTIME_SIGN_BRANCH] = {"|- ", "├─ "},
    [PASSTIME_SIGN_LAST_BRANCH] = {"`- ", "└─ "},
    [PASSTIME_SIGN_TRUNK] = {"|  ", "│  "},
    [PASSTIME_SIGN_RULE] = {"-", "─"},
    [PASSTIME_SIGN_CORNER] = {"`", "└"},
    [PASSTIME_SIGN_BLOCK] = {"#", "█"},
};

/* Hues far apart, and told apart by most who confuse red and green; red itself means "over". */
static const int series_colours[] = {39, 214, 78, 177, 227, 45, 209, 147};

const char *passtime_sign_text(enum passtime_sign sign, bool unicode)
{
    return signs[sign][unicode ? 1 : 0];
}

void passtime_line_begin(struct passtime_line *line, const struct passtime_report_style *style)
{
    line->style = style;
    line->bytes = 0;
    line->columns = 0;
    line->text[0] = '\0';
}

static void append(struct passtime_line *line, const char *bytes, size_t count, uint32_t columns)
{
    if (line->bytes + count >= sizeof line->text)
        return;
    memcpy(line->text + line->bytes, bytes, count);
    line->bytes += count;
    line->columns += columns;
    line->text[line->bytes] = '\0';
}

/* Bytes of the UTF-8 sequence that begins with `first`; 0: none does. */
static size_t sequence_bytes(unsigned char first)
{
    if (first < 0x80)
        return 1;
    if (first >= 0xc2 && first < 0xe0)
        return 2;
    if (first >= 0xe0 && first < 0xf0)
        return 3;
    return first >= 0xf0 && first < 0xf5 ? 4 : 0;
}

/* Decodes one code point; false: these bytes are none. */
static bool decode(const char *text, size_t *bytes, uint32_t *point)
{
    static const unsigned char lead_mask[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
    unsigned char first = (unsigned char)text[0];
    size_t count = sequence_bytes(first);
    *bytes = 1;
    if (count == 0)
        return false;
    uint32_t value = first & lead_mask[count];
    for (size_t i = 1; i < count; i++) {
        unsigned char next = (unsigned char)text[i];
        if ((next & 0xc0) != 0x80)
            return false;
        value = value << 6 | (next & 0x3f);
    }
    *bytes = count;
    *point = value;
    return true;
}

/* Columns of a code point: most take one, East Asian and emoji two, combining marks none. */
static uint32_t point_columns(uint32_t point)
{
    static const struct {
        uint32_t first, last, columns;
    } ranges[] = {
        {0x300, 0x36f, 0},   {0x1100, 0x115f, 2}, {0x200b, 0x200f, 0},   {0x2e80, 0xa4cf, 2},
        {0xac00, 0xd7a3, 2}, {0xf900, 0xfaff, 2}, {0xfe00, 0xfe0f, 0},   {0xfe30, 0xfe6f, 2},
        {0xff00, 0xff60, 2}, {0xffe0, 0xffe6, 2}, {0x1f300, 0x1faff, 2}, {0x20000, 0x3fffd, 2},
    };
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
        if (point >= ranges[i].first && point <= ranges[i].last)
            return ranges[i].columns;
    }
    return 1;
}

/* Moves over one character as it will be shown: *shown is its bytes, or "?" for what must not be.
 */
static const char *next_character(const char *text, bool unicode, const char **shown,
                                  size_t *shown_bytes, uint32_t *columns)
{
    size_t bytes = 1;
    uint32_t point = 0;
    bool valid = decode(text, &bytes, &point);
    /* Control characters (also those of the upper half), and marks that turn the writing round. */
    bool control = point < 0x20 || (point >= 0x7f && point < 0xa0) ||
                   (point >= 0x202a && point <= 0x202e) || (point >= 0x2066 && point <= 0x2069);
    *shown = text;
    *shown_bytes = bytes;
    *columns = point_columns(point);
    if (!valid || control || (!unicode && point > 0x7f)) {
        *shown = "?";
        *shown_bytes = 1;
        *columns = 1;
    }
    return text + bytes;
}

uint32_t passtime_text_columns(const char *text, bool unicode)
{
    uint32_t total = 0;
    while (*text) {
        const char *shown;
        size_t bytes;
        uint32_t columns;
        text = next_character(text, unicode, &shown, &bytes, &columns);
        total += columns;
    }
    return total;
}

void passtime_line_cut(struct passtime_line *line, const char *text, uint32_t columns_most)
{
    bool unicode = line->style->unicode;
    bool cut = passtime_text_columns(text, unicode) > columns_most;
    uint32_t room = cut && columns_most > 0 ? columns_most - 1 : columns_most;
    while (*text) {
        const char *shown;
        size_t bytes;
        uint32_t columns;
        text = next_character(text, unicode, &shown, &bytes, &columns);
        if (columns > room)
            break;
        append(line, shown, bytes, columns);
        room -= columns;
    }
    if (cut && columns_most > 0)
        passtime_line_sign(line, PASSTIME_SIGN_ELLIPSIS);
}

void passtime_line_text(struct passtime_line *line, const char *text)
{
    passtime_line_cut(line, text, UINT32_MAX);
}

void passtime_line_printf(struct passtime_line *line, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    passtime_line_text(line, text);
}

void passtime_line_sign(struct passtime_line *line, enum passtime_sign sign)
{
    passtime_line_text(line, passtime_sign_text(sign, line->style->unicode));
}

void passtime_line_pad(struct passtime_line *line, uint32_t column)
{
    while (line->columns < column && line->bytes + 1 < sizeof line->text)
        append(line, " ", 1, 1);
}

void passtime_line_colour(struct passtime_line *line, uint32_t colour)
{
    static const char *const codes[] = {"\x1b[0m",       "\x1b[1m",  "\x1b[2m", "\x1b[31m",
                                        "\x1b[38;5;88m", "\x1b[32m", "\x1b[33m"};
    char code[24];
    if (!line->style->colour)
        return;
    if (colour < PASSTIME_COLOUR_SERIES) {
        append(line, codes[colour], strlen(codes[colour]), 0);
        return;
    }
    size_t count = sizeof series_colours / sizeof series_colours[0];
    snprintf(code, sizeof code, "\x1b[38;5;%dm",
             series_colours[(colour - PASSTIME_COLOUR_SERIES) % count]);
    append(line, code, strlen(code), 0);
}

void passtime_line_end(struct passtime_line *line, FILE *out)
{
    while (line->bytes > 0 && line->text[line->bytes - 1] == ' ')
        line->bytes--;
    fwrite(line->text, 1, line->bytes, out);
    fputc('\n', out);
    passtime_line_begin(line, line->style);
}

void passtime_line_wrapped(struct passtime_line *line, FILE *out, const char *text, uint32_t indent)
{
    uint32_t width = line->style->width_columns;
    while (*text) {
        size_t bytes = strcspn(text, " ");
        char word[256];
        size_t kept = bytes < sizeof word ? bytes : sizeof word - 1;
        memcpy(word, text, kept);
        word[kept] = '\0';
        uint32_t columns = passtime_text_columns(word, line->style->unicode);
        if (line->columns > indent && line->columns + columns > width) {
            passtime_line_end(line, out);
            passtime_line_pad(line, indent);
        }
        passtime_line_text(line, word);
        text += bytes;
        text += strspn(text, " ");
        if (*text && line->columns < width)
            passtime_line_pad(line, line->columns + 1);
    }
}

void passtime_line_bar(struct passtime_line *line, double part, uint32_t columns)
{
    static const char *const eighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    uint32_t end = line->columns + columns;
    double clamped = part < 0.0 ? 0.0 : part > 1.0 ? 1.0 : part;
    uint32_t filled = (uint32_t)(clamped * columns * 8.0 + 0.5);
    if (!line->style->unicode)
        filled = (filled + 4) / 8 * 8;
    for (uint32_t i = 0; i < filled / 8; i++)
        passtime_line_sign(line, PASSTIME_SIGN_BLOCK);
    if (filled % 8 > 0)
        passtime_line_text(line, eighths[filled % 8]);
    passtime_line_pad(line, end);
}

int passtime_decimals(double value, int most)
{
    double size = value < 0 ? -value : value;
    if (size == 0.0)
        return 0;
    int decimals = size >= 0.9995 ? 3 : 2;
    for (double edge = 9.9995; size >= edge && decimals > 0; edge *= 10.0)
        decimals--;
    for (; size < 0.9995 && decimals < most; size *= 10.0)
        decimals++;
    return decimals < most ? decimals : most;
}

void passtime_line_time(struct passtime_line *line, double ns)
{
    const char *unit = passtime_sign_text(PASSTIME_SIGN_MICROSECONDS, line->style->unicode);
    double value = ns / 1e3;
    if (ns < 1e3) {
        value = ns;
        unit = "ns";
    } else if (ns >= 9.9995e8) {
        value = ns / 1e9;
        unit = "s";
    } else if (ns >= 9.9995e5) {
        value = ns / 1e6;
        unit = "ms";
    }
    passtime_line_printf(line, "%.*f %s", passtime_decimals(value, 3), value, unit);
}
