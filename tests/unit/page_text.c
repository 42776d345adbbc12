/* SPDX-License-Identifier: MIT */
#include "unit/page_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const uint64_t gpu_ahead_ns = 7777777777u;

void page_text_begin(struct page_text *text)
{
    text->bytes = 1;
    text->text[0] = '[';
    text->text[1] = '\0';
}

static void append(struct page_text *text, const char *format, va_list arguments)
{
    size_t room = sizeof text->text - text->bytes;
    int bytes = vsnprintf(text->text + text->bytes, room, format, arguments);
    assert_true(bytes >= 0 && (size_t)bytes < room - 2);
    text->bytes += (size_t)bytes;
}

__attribute__((format(printf, 2, 3))) static void put(struct page_text *text, const char *format,
                                                      ...)
{
    va_list arguments;
    va_start(arguments, format);
    append(text, format, arguments);
    va_end(arguments);
}

void page_text_add(struct page_text *text, const char *format, ...)
{
    va_list arguments;
    if (text->bytes > 1)
        put(text, ",");
    va_start(arguments, format);
    append(text, format, arguments);
    va_end(arguments);
}

static unsigned long long number(uint64_t value)
{
    return (unsigned long long)value;
}

static unsigned low(uint64_t ticks)
{
    return (unsigned)(ticks & UINT32_MAX);
}

static unsigned high(uint64_t ticks)
{
    return (unsigned)(ticks >> 32);
}

void page_text_frame(struct page_text *text, const struct page_frame *frame)
{
    page_text_add(text, "{\"k\":\"frame\",\"c\":%u,\"n\":%llu,\"b\":%llu,\"e\":%llu,\"s\":%llu,",
                  frame->context, number(frame->number), number(frame->begin_ns),
                  number(frame->end_ns), number(frame->seen_ns));
    put(text, "\"st\":%d,\"set\":%llu,\"cb\":0,\"ce\":0,", frame->status, number(frame->set));
    if (frame->surplus > 0)
        put(text, "\"x\":%u,", frame->surplus);
    if (frame->recorders)
        put(text, "\"r\":[%s],\"p\":[", frame->recorders);
    else
        put(text, "\"r\":[[%llu,%llu,1]],\"p\":[", number(frame->begin_ns), number(frame->end_ns));
    for (uint32_t i = 0; i < frame->pass_count; i++) {
        const struct page_pass *pass = &frame->passes[i];
        put(text, "%s[%u,%u,%u,%d,%llu,%llu,%u]", i > 0 ? "," : "", pass->recorder, pass->name, i,
            pass->parent, number(pass->open_ns), number(pass->close_ns), pass->flags);
    }
    put(text, "],\"t\":[");
    for (uint32_t i = 0; i < frame->pass_count && !frame->no_ticks; i++) {
        const struct page_pass *pass = &frame->passes[i];
        put(text, "%s%u,%u,%u,%u", i > 0 ? "," : "", low(pass->begin_ticks),
            high(pass->begin_ticks), low(pass->end_ticks), high(pass->end_ticks));
    }
    put(text, "]");
    if (frame->available)
        put(text, ",\"a\":[%s]", frame->available);
    put(text, "}");
}

void page_text_send(struct page_text *text, struct passtime_collector *collector, uint32_t realm)
{
    put(text, "]");
    passtime_collector_take(collector, realm, text->text, text->bytes);
    page_text_begin(text);
}

void page_text_start(struct page_text *text, uint32_t context)
{
    static const char *const names[] = {"shadow", "light", "post"};
    page_text_add(text, "{\"k\":\"hello\",\"v\":1,\"url\":\"http://localhost/\",\"kind\":\"page\","
                        "\"origin_ms\":1700000000000.25,\"webgpu\":\"hooked\",\"webgl\":\"absent\","
                        "\"text\":\"\"}");
    page_text_add(text,
                  "{\"k\":\"ctx\",\"c\":%u,\"api\":\"webgpu\",\"source\":0,\"bits\":64,"
                  "\"unverified\":false,\"max_passes\":1024,\"adapter\":{\"name\":\"SwiftShader\","
                  "\"driver\":null,\"kind\":\"software\",\"software\":true},\"name\":\"device 1\","
                  "\"reason\":\"\"}",
                  context);
    for (uint32_t i = 0; i < 3; i++)
        page_text_add(text, "{\"k\":\"name\",\"c\":%u,\"i\":%u,\"s\":\"%s\"}", context, i + 1,
                      names[i]);
}

struct page_frame page_frame_plain(uint32_t context, uint64_t frame_number, uint64_t begin_ns,
                                   uint32_t count)
{
    struct page_frame frame = {.context = context,
                               .number = frame_number,
                               .begin_ns = begin_ns,
                               .end_ns = begin_ns + 2000000,
                               .seen_ns = begin_ns + 2000000 + 1500000 * (uint64_t)count,
                               .set = 1 + frame_number % 8,
                               .pass_count = count};
    for (uint32_t i = 0; i < count; i++) {
        uint64_t at = begin_ns + gpu_ahead_ns + 1000000 + 1100000 * (uint64_t)i;
        frame.passes[i] = (struct page_pass){
            .name = 1 + i % 3, .parent = -1, .begin_ticks = at, .end_ticks = at + 1000000};
    }
    return frame;
}
