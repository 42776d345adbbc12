/* SPDX-License-Identifier: MIT */
/* Bytes between us, the browser and the file server. */
#include "page/state.h"

#include <stdio.h>
#include <string.h>

#include "port/port.h"

enum { READ_BYTES = 65536, READS_MAX = 64, POLL_FIXED = 4, POLL_MS_MAX = 50 };

/* What the browser prints: its last words are kept, and a crash of the GPU process is only told
 * here. */
static void take_output(struct passtime_page *page, const char *bytes, size_t count)
{
    const uint32_t half = PAGE_OUTPUT_BYTES / 2;
    while (count > 0) {
        if (page->output_used == PAGE_OUTPUT_BYTES) {
            memmove(page->output, page->output + half, PAGE_OUTPUT_BYTES - half);
            page->output_used -= half;
            page->output_seen -= page->output_seen < half ? page->output_seen : half;
        }
        size_t part = PAGE_OUTPUT_BYTES - page->output_used;
        if (part > count)
            part = count;
        for (size_t i = 0; i < part; i++)
            page->output[page->output_used++] = bytes[i] ? bytes[i] : ' ';
        page->output[page->output_used] = '\0';
        bytes += part;
        count -= part;
        char *end;
        while ((end = strchr(page->output + page->output_seen, '\n')) != NULL) {
            *end = '\0';
            if (strstr(page->output + page->output_seen, "GPU process exited unexpectedly")) {
                if (page->info.gpu_crashes++ == 0)
                    passtime_page_say(page, "the browser's GPU process crashed");
            }
            *end = '\n';
            page->output_seen = (uint32_t)(end - page->output) + 1;
        }
    }
}

static void read_output(struct passtime_page *page)
{
    char bytes[4096];
    ptrdiff_t got;
    int reads = 0;
    const int output = passtime_process_output(page->process);
    while (!page->output_closed && reads++ < READS_MAX &&
           (got = passtime_read(output, bytes, sizeof bytes)) != 0) {
        if (got < 0)
            page->output_closed = true;
        else
            take_output(page, bytes, (size_t)got);
    }
}

/* True: something came. */
static bool read_answers(struct passtime_page *page)
{
    char bytes[READ_BYTES];
    bool some = false;
    for (int i = 0; i < READS_MAX && !page->pipe_closed; i++) {
        const ptrdiff_t got =
            passtime_read(passtime_process_reader(page->process), bytes, sizeof bytes);
        if (got == 0)
            break;
        if (got < 0) {
            page->pipe_closed = true;
            /* Its end, if it ended, says more. */
            page->closed_ns = passtime_port_now_ns();
            break;
        }
        some = true;
        page->heard_ns = passtime_port_now_ns();
        passtime_cdp_take(&page->cdp, bytes, (size_t)got);
        page->info.bad_messages = page->bad_events + page->cdp.bad_messages;
    }
    return some;
}

static void write_commands(struct passtime_page *page)
{
    size_t count;
    const char *bytes;
    while (!page->pipe_closed && (bytes = passtime_cdp_waiting(&page->cdp, &count)) != NULL) {
        const ptrdiff_t done = passtime_send(passtime_process_writer(page->process), bytes, count);
        if (done <= 0)
            return;
        passtime_cdp_written(&page->cdp, (size_t)done);
    }
}

static void look_at_process(struct passtime_page *page)
{
    char how[128];
    char reason[PASSTIME_PAGE_TEXT_BYTES / 2];
    if (passtime_process_ended(page->process, how, sizeof how)) {
        read_output(page);
        (void)passtime_page_output_reason(page, reason, sizeof reason);
        page->pipe_closed = true;
        /* What it said last explains an end at the start; later it is noise. */
        if (reason[0] && !page->navigated)
            passtime_page_over(page, "the browser %s: %s", how, reason);
        else
            passtime_page_over(page, "the browser %s", how);
    } else if (page->pipe_closed && passtime_port_now_ns() - page->closed_ns > 500000000u) {
        passtime_page_over(page, "the browser closed its debugging pipe");
    }
}

static bool wait_for_any(struct passtime_page *page, uint32_t timeout_ms)
{
    struct passtime_poll items[POLL_FIXED + SERVE_CONNECTIONS_MAX + 1];
    size_t waiting = 0;
    uint32_t count = 0;
    (void)passtime_cdp_waiting(&page->cdp, &waiting);
    items[count++] = (struct passtime_poll){
        .descriptor = page->pipe_closed ? -1 : passtime_process_reader(page->process),
        .want_read = true};
    items[count++] = (struct passtime_poll){
        .descriptor = page->pipe_closed ? -1 : passtime_process_writer(page->process),
        .want_write = waiting > 0};
    items[count++] = (struct passtime_poll){
        .descriptor = page->output_closed ? -1 : passtime_process_output(page->process),
        .want_read = true};
    items[count++] = (struct passtime_poll){.descriptor = passtime_process_news(page->process),
                                            .want_read = true};
    if (page->serve)
        count += passtime_serve_wants(page->serve, items + count);
    return passtime_poll(items, count, timeout_ms < POLL_MS_MAX ? timeout_ms : POLL_MS_MAX);
}

bool passtime_page_pump(struct passtime_page *page, uint32_t timeout_ms)
{
    if (!page->process || page->info.state == PASSTIME_PAGE_ENDED)
        return false;
    write_commands(page);
    (void)wait_for_any(page, timeout_ms);
    read_output(page);
    const bool some = read_answers(page);
    if (page->serve)
        passtime_serve_step(page->serve);
    look_at_process(page);
    const uint64_t now_ns = passtime_port_now_ns();
    passtime_cdp_expire(&page->cdp, now_ns);
    passtime_page_look(page, now_ns);
    if (page->cdp.broken)
        passtime_page_over(page, "the browser takes no more commands");
    write_commands(page);
    return some;
}
