/* SPDX-License-Identifier: MIT */
/* The relay's side towards the core: entries, their query sets, and what came back. */
#include "relay.h"

enum {
    FIRST_PAIRS = 32,        /* of an entry's first query set */
    RETRY_FIRST_LIVES = 64,  /* to wait after sets could not be made */
    RETRY_MOST_LIVES = 4096, /* the wait doubles up to this */
    RENEW_LIVES = 8,   /* sets with suspect slots are replaced after so many at the earliest */
    SHRINK_LIVES = 256 /* sets are made smaller after so many that need a quarter of them */
};
static const uint64_t SOON_NS = 2 * 65536; /* twice the coarsest step of stamps in the field */

static struct passtime_web_entry *entry_of(void *self, uint32_t index)
{
    struct passtime_web *web = self;
    return &web->entries[index];
}

static void relay_destroy(void *self)
{
    struct passtime_web *web = self;
    passtime_desc desc = web->desc;
    for (uint32_t i = 0; web->entries != NULL && i < web->entry_count; i++) {
        /* One block holds all of an entry's arrays; it begins with the ticks. */
        passtime_front_free(&desc, web->entries[i].ticks);
    }
    passtime_front_free(&desc, web->entries);
    passtime_front_free(&desc, web);
}

/* How many pairs new query sets should have; 0: those that are there will do. */
static uint32_t wish(const struct passtime_web_entry *e, uint32_t wanted)
{
    if (wanted > e->pairs || e->small_lives >= SHRINK_LIVES) {
        return wanted;
    }
    bool renew = e->tainted || (e->has_suspects && e->lives >= RENEW_LIVES);
    return renew ? e->pairs : 0;
}

static uint32_t rounded(uint32_t pairs, uint32_t most)
{
    uint32_t size = FIRST_PAIRS;
    while (size < pairs) {
        size *= 2;
    }
    return size < most ? size : most;
}

static uint32_t relay_entry_begin(void *self, uint32_t index, uint32_t wanted,
                                  struct passtime_unit *unit)
{
    struct passtime_web *web = self;
    struct passtime_web_entry *e = entry_of(self, index);
    (void)unit;
    if (web->lost) {
        return 0;
    }
    if (web->flags & PASSTIME_WEB_BANKS) {
        wanted = wanted < 1 ? 1 : wanted > web->max_passes ? web->max_passes : wanted;
        bool small = 4 * wanted <= e->pairs && e->pairs > FIRST_PAIRS;
        e->small_lives = small ? e->small_lives + 1 : 0;
        e->lives++;
        e->retry_in -= e->retry_in > 0;
        uint32_t pairs = wish(e, wanted);
        e->wish =
            pairs != 0 && !e->building && e->retry_in == 0 ? rounded(pairs, web->max_passes) : 0;
        if (e->tainted || e->pairs == 0) {
            return 0;
        }
    }
    e->life++;
    e->phase = PASSTIME_WEB_RECORDING;
    e->pair_end = 0;
    e->complete_begin_ns = e->complete_end_ns = 0;
    return e->pairs;
}

/* CPU times are read here; a GPU's stamps are the shim's to take. */
static bool relay_mark(void *self, uint32_t entry, uint32_t slot)
{
    const struct passtime_web *web = self;
    if (!passtime_is_gpu_time(web->source)) {
        entry_of(self, entry)->ticks[slot] = web->now_ns;
    }
    return true;
}

static void relay_entry_resolve(void *self, uint32_t index, uint64_t frame_number,
                                const struct passtime_run *runs, uint32_t run_count)
{
    struct passtime_web *web = self;
    struct passtime_web_entry *e = entry_of(self, index);
    (void)frame_number;
    __builtin_memset(e->asked, 0, web->max_passes);
    for (uint32_t i = 0; i < run_count; i++) {
        __builtin_memset(e->asked + runs[i].first_pair, 1, runs[i].pair_count);
    }
    e->pair_end = runs[run_count - 1].first_pair + runs[run_count - 1].pair_count;
    e->submitted_before_ns = e->submitted_ns;
    e->submitted_ns = web->now_ns;
    e->phase = PASSTIME_WEB_TO_RESOLVE;
}

/* Did this frame write both of its stamps? Equal stamps may be chance where they are coarse and the
 * slot comes back soon. */
static bool is_written(const uint64_t *now, const uint64_t *before, bool soon)
{
    bool begin_repeated = now[0] == before[0];
    bool end_repeated = now[1] == before[1];
    bool repeated = soon ? begin_repeated && end_repeated : begin_repeated || end_repeated;
    return now[0] != 0 && now[1] != 0 && !repeated;
}

/* Where a stamp was not written by this frame, whoever was to write it may still do so, and then a
 * later frame could read it as its own. Such a pair is not handed out again from these sets. Slots
 * that have always been 0 are those of passes that never run. */
static void look_for_late_writers(struct passtime_web_entry *e)
{
    bool soon = e->submitted_ns - e->submitted_before_ns < SOON_NS;
    for (uint32_t pair = 0; pair < e->pair_end; pair++) {
        const uint64_t *now = e->ticks + 2 * (size_t)pair;
        const uint64_t *before = e->last + 2 * (size_t)pair;
        bool never = now[0] == 0 && now[1] == 0 && before[0] == 0 && before[1] == 0;
        if (e->asked[pair] && !never && !is_written(now, before, soon)) {
            e->suspect[pair] = 1;
            e->has_suspects = true;
        }
    }
}

/* Is there a pair whose slots the core has not seen since these sets were taken up? */
static bool has_news(const struct passtime_web_entry *e)
{
    bool news = false;
    for (uint32_t pair = 0; pair < e->pair_end; pair++) {
        news = news || (e->asked[pair] && !e->known[pair]);
    }
    return news;
}

/* A pass's own time becomes its whole time; what is nested in it has higher numbers. What does not
 * fit is as long as can be, which no envelope allows. */
static void add_children(const struct passtime_web *web, struct passtime_web_entry *e)
{
    uint32_t index = (uint32_t)(e - web->entries);
    uint64_t most = UINT64_MAX >> (64 - web->valid_bits);
    for (uint32_t pair = e->pair_end; pair-- > 0;) {
        uint32_t parent = passtime_front_parent(web->t, (struct passtime_place){index, pair});
        if (e->available[2 * (size_t)pair] && parent != PASSTIME_NONE) {
            uint64_t *sum = &e->ticks[2 * (size_t)parent];
            uint64_t own = e->ticks[2 * (size_t)pair];
            *sum = own > most || *sum > most - own ? most : *sum + own;
        }
    }
}

static enum passtime_raw_state raw_state(enum passtime_web_status status)
{
    switch (status) {
    case PASSTIME_WEB_LOST:
        return PASSTIME_RAW_LOST;
    case PASSTIME_WEB_MAP_FAILED:
        return PASSTIME_RAW_MAP_FAILED;
    case PASSTIME_WEB_DISJOINT:
        return PASSTIME_RAW_DISJOINT;
    case PASSTIME_WEB_LATE:
        return PASSTIME_RAW_LATE;
    case PASSTIME_WEB_OK:
        break;
    }
    return PASSTIME_RAW_READY;
}

static void fill_raw(struct passtime_web *web, struct passtime_web_entry *e,
                     struct passtime_raw *raw)
{
    bool banks = web->flags & PASSTIME_WEB_BANKS;
    bool gpu = passtime_is_gpu_time(web->source);
    raw->ticks = e->ticks;
    raw->tick_count = 2 * e->pair_end;
    raw->durations = web->source == PASSTIME_GPU_ELAPSED;
    raw->available = gpu && !banks ? e->available : NULL;
    raw->complete_begin_ns = e->complete_begin_ns;
    raw->complete_end_ns = e->complete_end_ns;
    if (banks) {
        look_for_late_writers(e);
        raw->baseline = has_news(e) ? e->last : NULL;
    } else if (web->flags & PASSTIME_WEB_EXCLUSIVE) {
        add_children(web, e);
    }
}

static void relay_entry_collect(void *self, uint32_t index, struct passtime_raw *raw)
{
    struct passtime_web *web = self;
    struct passtime_web_entry *e = entry_of(self, index);
    if (e->phase != PASSTIME_WEB_GIVEN) {
        raw->state = web->lost ? PASSTIME_RAW_LOST : PASSTIME_RAW_NOT_READY;
        e->tainted = e->tainted || web->lost;
        return;
    }
    raw->state = raw_state(e->status);
    raw->seen_ns = e->seen_ns;
    if (raw->state == PASSTIME_RAW_READY) {
        fill_raw(web, e, raw);
    } else {
        e->tainted = true; /* The GPU may have written stamps that nobody has seen. */
    }
}

static void relay_entry_release(void *self, uint32_t index)
{
    struct passtime_web_entry *e = entry_of(self, index);
    for (uint32_t pair = 0; pair < e->pair_end && !e->tainted; pair++) {
        if (e->asked[pair]) {
            e->known[pair] = 1;
            e->last[2 * (size_t)pair] = e->ticks[2 * (size_t)pair];
            e->last[2 * (size_t)pair + 1] = e->ticks[2 * (size_t)pair + 1];
        }
    }
    e->phase = PASSTIME_WEB_FREE;
}

static void relay_entry_abandon(void *self, uint32_t index)
{
    struct passtime_web_entry *e = entry_of(self, index);
    /* Commands that were submitted may run yet, and leave stamps that nobody reads. */
    e->tainted = e->tainted || e->phase >= PASSTIME_WEB_TO_RESOLVE;
    e->phase = PASSTIME_WEB_FREE;
}

static bool relay_is_lost(void *self)
{
    const struct passtime_web *web = self;
    return web->lost;
}

/* CPU times only: what the page did not end, ends with its encoder. */
static void relay_recorder_finish(void *self, passtime_recorder *rec)
{
    const struct passtime_web *web = self;
    struct passtime_place place;
    uint32_t open = passtime_is_gpu_time(web->source) ? 0 : passtime_front_depth(rec);
    for (; open > 0; open--) {
        if (passtime_front_close(rec, &place)) {
            (void)relay_mark(self, place.entry, 2 * place.pair + 1);
            passtime_front_flag(rec, place, PASSTIME_FLAG_IMPLIED_END);
        }
    }
}

const struct passtime_backend_ops passtime_web_ops = {
    .size = sizeof(struct passtime_backend_ops),
    .api = "web",
    .destroy = relay_destroy,
    .entry_begin = relay_entry_begin,
    .mark = relay_mark,
    .entry_resolve = relay_entry_resolve,
    .entry_collect = relay_entry_collect,
    .entry_release = relay_entry_release,
    .entry_abandon = relay_entry_abandon,
    .is_lost = relay_is_lost,
    .recorder_finish = relay_recorder_finish,
};

static void reset_bank(struct passtime_web *web, struct passtime_web_entry *e, uint32_t pairs)
{
    __builtin_memset(e->known, 0, web->max_passes);
    __builtin_memset(e->suspect, 0, web->max_passes);
    __builtin_memset(e->last, 0, 16 * (size_t)web->max_passes);
    e->pairs = pairs;
    e->tainted = e->has_suspects = e->building = false;
    e->wish = e->lives = e->small_lives = e->retry_wait = 0;
}

int32_t passtime_web_wish(struct passtime_web *web)
{
    for (uint32_t i = 0; i < web->entry_count; i++) {
        struct passtime_web_entry *e = &web->entries[i];
        if (e->wish != 0 && !e->building) {
            e->building = true;
            return (int32_t)i;
        }
    }
    return -1;
}

uint32_t passtime_web_wish_pairs(struct passtime_web *web, uint32_t entry)
{
    return web->entries[entry].wish;
}

bool passtime_web_bank_ready(struct passtime_web *web, uint32_t entry, uint32_t pairs)
{
    struct passtime_web_entry *e = &web->entries[entry];
    if (e->phase != PASSTIME_WEB_FREE) {
        return false;
    }
    reset_bank(web, e, pairs);
    return true;
}

void passtime_web_bank_failed(struct passtime_web *web, uint32_t entry)
{
    struct passtime_web_entry *e = &web->entries[entry];
    uint32_t doubled = 2 * e->retry_wait;
    e->building = false;
    e->wish = 0;
    e->retry_wait = doubled < RETRY_FIRST_LIVES  ? RETRY_FIRST_LIVES
                    : doubled > RETRY_MOST_LIVES ? RETRY_MOST_LIVES
                                                 : doubled;
    e->retry_in = e->retry_wait;
    passtime_front_log(web->t, PASSTIME_LOG_QUERIES_FAILED,
                       "The device refused a query set or its buffers, also a smaller one; "
                       "timing goes on with what there is and tries again later.");
}
