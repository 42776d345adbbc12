/* SPDX-License-Identifier: MIT */
/* Messages as the script in a page sends them, written for tests. */
#ifndef PASSTIME_TESTS_PAGE_TEXT_H
#define PASSTIME_TESTS_PAGE_TEXT_H

#include "page/collect.h"

enum { PAGE_TEXT_BYTES = 1 << 18, PAGE_TEXT_PASSES = 64 };

struct page_pass {
    uint32_t recorder, name;
    int parent;                 /* -1: none */
    uint64_t open_ns, close_ns; /* of the realm's clock */
    uint32_t flags;
    uint64_t begin_ticks, end_ticks;
};

/* A frame to be written. Times are of the realm's clock. */
struct page_frame {
    uint32_t context;
    uint64_t number, begin_ns, end_ns, seen_ns;
    int status;
    uint64_t set;
    uint32_t surplus;
    const char *recorders; /* rows of recorders; NULL: one, submitted */
    uint32_t pass_count;
    struct page_pass passes[PAGE_TEXT_PASSES];
    int no_ticks;          /* 1: none came back */
    const char *available; /* the list of marks; NULL: none */
};

/* A text under construction: an array of messages. */
struct page_text {
    size_t bytes;
    char text[PAGE_TEXT_BYTES];
};

void page_text_begin(struct page_text *text);
void page_text_add(struct page_text *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void page_text_frame(struct page_text *text, const struct page_frame *frame);
/* Ends the array and hands it to the collector as of that realm; the text is begun anew. */
void page_text_send(struct page_text *text, struct passtime_collector *collector, uint32_t realm);

/* A WebGPU context of the main realm and the names 1 "shadow", 2 "light" and 3 "post". */
void page_text_start(struct page_text *text, uint32_t context);
/* A frame of `count` passes one after another, each 1 ms long, begun at `begin_ns`; in set 1 + its
 * number modulo 8. The GPU's clock is ahead of the CPU's by 7,777,777,777 ns. */
struct page_frame page_frame_plain(uint32_t context, uint64_t number, uint64_t begin_ns,
                                   uint32_t count);

#endif
