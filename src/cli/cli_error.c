/* SPDX-License-Identifier: MIT */
/* Errors and warnings on stderr, as a line or as JSON. */
#include "cli/cli_error.h"

#include <errno.h>
#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>

static const char *code_name(enum exit_code code)
{
    switch (code) {
    case EXIT_CODE_FAILED:
        return "failed";
    case EXIT_CODE_USAGE:
        return "usage";
    case EXIT_CODE_NOTHING:
        return "nothing_measured";
    default:
        return "warning";
    }
}

/* A text that is not UTF-8 (a path may be anything) loses the bytes that are not ASCII. */
static json_t *text_json(const char *text)
{
    json_t *value = json_string(text);
    if (value)
        return value;
    char ascii[1024];
    size_t length = 0;
    for (; text[length] && length + 1 < sizeof ascii; length++)
        ascii[length] = (unsigned char)text[length] < 0x80 ? text[length] : '?';
    ascii[length] = '\0';
    return json_string(ascii);
}

static void say(const struct cli *cli, enum exit_code code, const char *text)
{
    if (!cli->json) {
        fprintf(stderr, "passtime%s%s: %s%s\n", cli->command ? " " : "",
                cli->command ? cli->command : "", code == EXIT_CODE_DONE ? "warning: " : "", text);
        return;
    }
    json_t *root =
        json_pack("{s:s, s:{s:s, s:i, s:o}}", "schema", "passtime.error/1", "error", "code",
                  code_name(code), "exit", (int)code, "message", text_json(text));
    if (!root)
        return;
    if (cli->command)
        json_object_set_new(json_object_get(root, "error"), "command", json_string(cli->command));
    json_dumpf(root, stderr, JSON_COMPACT);
    fputc('\n', stderr);
    json_decref(root);
}

int cli_fail(const struct cli *cli, enum exit_code code, const char *format, ...)
{
    char text[2048];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    say(cli, code, text);
    return (int)code;
}

void cli_warn(const struct cli *cli, const char *format, ...)
{
    char text[2048];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    say(cli, EXIT_CODE_DONE, text);
}

bool cli_can_write(const char *path)
{
    FILE *there = fopen(path, "rb");
    FILE *file = fopen(path, "ab");
    int reason = errno;
    if (there)
        fclose(there);
    if (file) {
        fclose(file);
        if (!there)
            remove(path);
    }
    errno = reason;
    return file != NULL;
}
