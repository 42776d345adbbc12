/* SPDX-License-Identifier: MIT */
/* Takes any bytes as texts that a page sends, parted by zeros. Whatever they are, the books must
 * add up. */
#include "fuzz/fuzz.h"
#include "page/collect.h"

#include <stdlib.h>
#include <string.h>

static void demand(bool holds)
{
    if (!holds)
        abort();
}

static void check_frame(void *user, uint32_t context, const passtime_frame *frame)
{
    uint64_t *frames = user;
    (void)context;
    (*frames)++;
    for (uint32_t i = 0; i < frame->sample_count; i++) {
        const passtime_sample *sample = &frame->samples[i];
        demand(sample->name != NULL && strlen(sample->name) < PASSTIME_NAME_BYTES);
        demand(sample->verdict < PASSTIME_VERDICT_COUNT);
        demand(sample->parent == PASSTIME_NONE || sample->parent < i);
        demand(passtime_is_good(sample->verdict) || sample->duration_ns == 0);
    }
}

static void check_note(void *user, uint32_t realm, const char *text)
{
    (void)user;
    (void)realm;
    demand(text != NULL);
}

/* Every frame and every pass has come to an end, and is counted once. */
static void check_books(const passtime_ledger *ledger)
{
    uint64_t frames = 0, passes = 0;
    for (int i = 0; i < PASSTIME_FATE_COUNT; i++)
        frames += ledger->fates[i];
    for (int i = 0; i < PASSTIME_VERDICT_COUNT; i++)
        passes += ledger->verdicts[i];
    demand(ledger->frames_in_flight == 0 && ledger->frames_seen == frames);
    demand(ledger->passes_recorded == passes);
    demand(ledger->orphan_ends == 0 && ledger->misuses == 0);
}

static void check_contexts(struct passtime_collector *collector)
{
    for (uint32_t i = 0; i < passtime_collector_contexts(collector); i++) {
        struct passtime_snapshot snapshot;
        if (passtime_collector_snapshot(collector, i, &snapshot) == PASSTIME_OK)
            check_books(&snapshot.ledger);
        passtime_stats stats;
        (void)passtime_collector_budget(collector, i, 0, &stats);
        passtime_snapshot_finish(&snapshot);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const budgets[] = {"shadow"};
    uint64_t frames = 0;
    const struct passtime_collect_options options = {.warmup_frames = 1,
                                                     .frames = 100,
                                                     .budget_ns = 1000000,
                                                     .budget_passes = budgets,
                                                     .budget_count = 1,
                                                     .user = &frames,
                                                     .on_frame = check_frame,
                                                     .on_note = check_note};
    struct passtime_collector *collector = passtime_collector_make(&options);
    demand(collector != NULL);
    uint32_t realm = 1;
    for (size_t at = 0; at < size; realm++) {
        const uint8_t *end = memchr(data + at, 0, size - at);
        size_t bytes = end != NULL ? (size_t)(end - (data + at)) : size - at;
        passtime_collector_take(collector, 1 + realm / 4, (const char *)data + at, bytes);
        at += bytes + 1;
    }
    check_contexts(collector);
    demand(passtime_collector_counts(collector)->frames >= frames);
    (void)passtime_collector_end(&collector);
    return 0;
}
