/* SPDX-License-Identifier: MIT */
/* The feed backend: what a GPU would bring back is given by the caller. */
#include <passtime/feed.h>

#include "core/backend.h"

#include <stdatomic.h>

/* Of an entry. A life is one frame's; DROPPED: it ended while results were being copied in, and the
 * next can't begin before the copy has ended. */
enum feed_state { FEED_IDLE = 0, FEED_AWAITING, FEED_TAKING, FEED_GIVEN, FEED_DROPPED };
enum { FEED_STATES = 8 };

struct feed_entry {
    atomic_uint word;        /* life * FEED_STATES + enum feed_state */
    _Atomic uint64_t number; /* of the frame that awaits results */
    atomic_uint losses;      /* feed->losses when the frame was begun */
    atomic_bool fresh;       /* a new device was taken up: its slots hold zeros */
    bool zeroed;             /* the frame was begun on such slots */
    passtime_feed_status status;
    uint32_t tick_count;
    bool has_available;
    bool has_baseline;
    uint64_t seen_ns;
    uint64_t complete_begin_ns, complete_end_ns;
    uint64_t *ticks;
    uint64_t *baseline;
    uint8_t *available;
};

struct feed {
    passtime_desc desc;
    passtime_source source;
    struct passtime_unit unit;
    atomic_bool lost;
    atomic_uint losses; /* of a device, so far */
    uint32_t limit;     /* pairs of a frame; 0: max_passes */
    struct feed_entry *entries;
    uint64_t *ticks;    /* of all entries */
    uint64_t *baseline; /* of all entries */
    uint8_t *available; /* of all entries */
    uint64_t *zeros;    /* what the slots of a new device hold */
};

static void feed_destroy(void *self)
{
    struct feed *feed = self;
    passtime_desc desc = feed->desc;
    passtime_front_free(&desc, feed->zeros);
    passtime_front_free(&desc, feed->available);
    passtime_front_free(&desc, feed->baseline);
    passtime_front_free(&desc, feed->ticks);
    passtime_front_free(&desc, feed->entries);
    passtime_front_free(&desc, feed);
}

static unsigned state_of(unsigned word)
{
    return word % FEED_STATES;
}

static unsigned with_state(unsigned word, enum feed_state state)
{
    return word - state_of(word) + state;
}

/* Was the device lost since the frame was begun, even if another was taken up? */
static bool is_gone(struct feed *feed, struct feed_entry *e)
{
    return atomic_load(&feed->lost) || atomic_load(&e->losses) != atomic_load(&feed->losses);
}

static uint32_t feed_entry_begin(void *self, uint32_t entry, uint32_t wanted,
                                 struct passtime_unit *unit)
{
    struct feed *feed = self;
    struct feed_entry *e = &feed->entries[entry];
    (void)wanted;
    unsigned word = atomic_load(&e->word);
    if (state_of(word) == FEED_DROPPED) {
        return 0;
    }
    atomic_store(&e->word, with_state(word + FEED_STATES, FEED_IDLE));
    atomic_store(&e->losses, atomic_load(&feed->losses));
    e->zeroed = atomic_exchange(&e->fresh, false);
    *unit = feed->unit;
    return feed->limit != 0 ? feed->limit : feed->desc.max_passes;
}

static bool feed_mark(void *self, uint32_t entry, uint32_t slot)
{
    (void)self;
    (void)entry;
    (void)slot;
    return true; /* The tick comes with the results. */
}

static void feed_entry_resolve(void *self, uint32_t entry, uint64_t frame_number,
                               const struct passtime_run *runs, uint32_t run_count)
{
    struct feed *feed = self;
    struct feed_entry *e = &feed->entries[entry];
    (void)runs;
    (void)run_count;
    atomic_store(&e->number, frame_number);
    atomic_store(&e->word, with_state(atomic_load(&e->word), FEED_AWAITING));
}

static enum passtime_raw_state raw_state(passtime_feed_status status)
{
    switch (status) {
    case PASSTIME_FEED_LOST:
        return PASSTIME_RAW_LOST;
    case PASSTIME_FEED_MAP_FAILED:
        return PASSTIME_RAW_MAP_FAILED;
    case PASSTIME_FEED_DISJOINT:
        return PASSTIME_RAW_DISJOINT;
    case PASSTIME_FEED_LATE:
        return PASSTIME_RAW_LATE;
    case PASSTIME_FEED_TIMED_OUT:
        return PASSTIME_RAW_TIMED_OUT;
    case PASSTIME_FEED_OK:
        break;
    }
    return PASSTIME_RAW_READY;
}

static void feed_entry_collect(void *self, uint32_t entry, struct passtime_raw *raw)
{
    struct feed *feed = self;
    struct feed_entry *e = &feed->entries[entry];
    if (state_of(atomic_load(&e->word)) != FEED_GIVEN) {
        raw->state = is_gone(feed, e) ? PASSTIME_RAW_LOST : PASSTIME_RAW_NOT_READY;
        return;
    }
    raw->state = raw_state(e->status);
    raw->durations = feed->source == PASSTIME_GPU_ELAPSED;
    raw->ticks = e->ticks;
    raw->tick_count = e->tick_count;
    raw->available = e->has_available ? e->available : NULL;
    raw->seen_ns = e->seen_ns;
    raw->baseline = e->has_baseline ? e->baseline : e->zeroed ? feed->zeros : NULL;
    /* They are of the CPU's clock, and must not be placed with stamps of the GPU's. */
    if (!passtime_is_gpu_time(feed->source)) {
        raw->complete_begin_ns = e->complete_begin_ns;
        raw->complete_end_ns = e->complete_end_ns;
    }
}

static void feed_entry_end(void *self, uint32_t entry)
{
    struct feed *feed = self;
    struct feed_entry *e = &feed->entries[entry];
    unsigned word = atomic_load(&e->word);
    enum feed_state next;
    do {
        next = state_of(word) == FEED_TAKING ? FEED_DROPPED : FEED_IDLE;
    } while (!atomic_compare_exchange_weak(&e->word, &word, with_state(word, next)));
}

static bool feed_is_lost(void *self)
{
    struct feed *feed = self;
    return atomic_load_explicit(&feed->lost, memory_order_relaxed);
}

static const struct passtime_backend_ops feed_ops = {
    .size = sizeof(struct passtime_backend_ops),
    .api = "feed",
    .destroy = feed_destroy,
    .entry_begin = feed_entry_begin,
    .mark = feed_mark,
    .entry_resolve = feed_entry_resolve,
    .entry_collect = feed_entry_collect,
    .entry_release = feed_entry_end,
    .entry_abandon = feed_entry_end,
    .is_lost = feed_is_lost,
};

static struct passtime_unit unit_of(const passtime_feed_desc *d)
{
    bool silent = d->tick_ns_num == 0 && d->tick_ns_den == 0;
    return silent ? (struct passtime_unit){1, 1}
                  : (struct passtime_unit){d->tick_ns_num, d->tick_ns_den};
}

static bool allocate_arrays(struct feed *feed)
{
    size_t entries = feed->desc.frames_in_flight;
    size_t slots = 2 * (size_t)feed->desc.max_passes;
    feed->entries = passtime_front_allocate(&feed->desc, entries * sizeof(*feed->entries));
    feed->ticks = passtime_front_allocate(&feed->desc, entries * slots * sizeof(*feed->ticks));
    feed->baseline = passtime_front_allocate(&feed->desc, entries * slots * sizeof(*feed->ticks));
    feed->available = passtime_front_allocate(&feed->desc, entries * slots);
    feed->zeros = passtime_front_allocate(&feed->desc, slots * sizeof(*feed->zeros));
    if (feed->entries == NULL || feed->ticks == NULL || feed->baseline == NULL ||
        feed->available == NULL || feed->zeros == NULL) {
        return false;
    }
    for (size_t i = 0; i < entries; i++) {
        feed->entries[i].ticks = &feed->ticks[i * slots];
        feed->entries[i].baseline = &feed->baseline[i * slots];
        feed->entries[i].available = &feed->available[i * slots];
    }
    return true;
}

passtime_result passtime_create_feed(const passtime_feed_desc *feed_desc, const passtime_desc *desc,
                                     passtime **t)
{
    static const passtime_feed_desc defaults = PASSTIME_FEED_DESC_INIT;
    const passtime_feed_desc *d = feed_desc != NULL ? feed_desc : &defaults;
    passtime_desc resolved;
    if (t == NULL) {
        return PASSTIME_INVALID;
    }
    *t = NULL;
    if (d->size != sizeof(*d) || d->valid_bits > 64 ||
        (uint32_t)d->source >= PASSTIME_SOURCE_COUNT) {
        return PASSTIME_INVALID;
    }
    passtime_result result = passtime_front_resolve_desc(desc, 0, &resolved);
    if (result != PASSTIME_OK) {
        return result;
    }
    struct feed *feed = passtime_front_allocate(&resolved, sizeof(*feed));
    if (feed == NULL) {
        return PASSTIME_NO_MEMORY;
    }
    feed->desc = resolved;
    feed->source = d->source;
    feed->unit = unit_of(d);
    struct passtime_traits traits = {.source = d->source,
                                     .valid_bits = d->valid_bits != 0 ? d->valid_bits : 64,
                                     .unit = feed->unit,
                                     .has_envelope = d->no_envelope == 0,
                                     .boundary_unverified = d->unverified != 0,
                                     .zero_means_unwritten = true};
    result = allocate_arrays(feed) ? passtime_front_create(&feed_ops, feed, &traits, &resolved, t)
                                   : PASSTIME_NO_MEMORY;
    if (result != PASSTIME_OK) {
        feed_destroy(feed);
    }
    return result;
}

uint32_t passtime_feed_pass_id(passtime_recorder *rec, passtime_id id)
{
    struct passtime_place place;
    if (passtime_front_recorder_self(rec, &feed_ops) == NULL) {
        return PASSTIME_NONE;
    }
    return passtime_front_pass(rec, id, &place) ? place.pair : PASSTIME_NONE;
}

uint32_t passtime_feed_pass(passtime_recorder *rec, const char *name)
{
    return passtime_feed_pass_id(rec, passtime_front_name(rec, name));
}

uint32_t passtime_feed_open(passtime_recorder *rec, const char *name)
{
    struct passtime_place place;
    if (passtime_front_recorder_self(rec, &feed_ops) == NULL) {
        return PASSTIME_NONE;
    }
    return passtime_front_open(rec, passtime_front_name(rec, name), &place) ? place.pair
                                                                            : PASSTIME_NONE;
}

/* The place of a pair that is the recorder's. */
static bool place_of(const passtime_recorder *rec, uint32_t pair, struct passtime_place *place)
{
    if (passtime_front_recorder_self(rec, &feed_ops) == NULL || !passtime_front_owns(rec, pair)) {
        return false;
    }
    *place = (struct passtime_place){passtime_front_recorder_entry(rec), pair};
    return true;
}

void passtime_feed_refuse(passtime_recorder *rec, uint32_t pair)
{
    struct passtime_place place;
    if (place_of(rec, pair, &place)) {
        passtime_front_refuse(rec, place);
    }
}

void passtime_feed_flag(passtime_recorder *rec, uint32_t pair, uint32_t flags)
{
    struct passtime_place place;
    if (place_of(rec, pair, &place)) {
        passtime_front_flag(rec, place, flags);
    }
}

void passtime_feed_limit(passtime *t, uint32_t pairs)
{
    struct feed *feed = passtime_front_self(t, &feed_ops);
    if (feed != NULL) {
        feed->limit = pairs < feed->desc.max_passes ? pairs : 0;
    }
}

passtime_result passtime_feed_skip(passtime *t, passtime_fate why)
{
    if (passtime_front_self(t, &feed_ops) == NULL || (uint32_t)why < PASSTIME_FRAME_SKIPPED_FULL ||
        (uint32_t)why > PASSTIME_FRAME_SKIPPED_WARMUP) {
        return PASSTIME_INVALID;
    }
    passtime_front_skip(t, why);
    return PASSTIME_OK;
}

void passtime_feed_forgotten(passtime_recorder *rec)
{
    if (passtime_front_recorder_self(rec, &feed_ops) != NULL) {
        passtime_front_forgotten(rec);
    }
}

static void copy_results(const struct feed *feed, struct feed_entry *e,
                         const passtime_feed_results *results, uint64_t seen_ns)
{
    uint32_t most = 2 * feed->desc.max_passes;
    bool has_ticks = results->status == PASSTIME_FEED_OK && results->ticks != NULL;
    e->status = results->status;
    e->tick_count = has_ticks ? (results->tick_count < most ? results->tick_count : most) : 0;
    e->has_available = has_ticks && results->available != NULL;
    e->has_baseline = has_ticks && results->baseline != NULL;
    e->seen_ns = seen_ns;
    e->complete_begin_ns = results->complete_begin_ns;
    e->complete_end_ns = results->complete_end_ns;
    for (uint32_t i = 0; i < e->tick_count; i++) {
        e->ticks[i] = results->ticks[i];
        e->available[i] = e->has_available ? results->available[i] : 1;
        e->baseline[i] = e->has_baseline ? results->baseline[i] : 0;
    }
}

/* Another thread may give results for the same frame, or give the frame up, at the same time: the
 * word says whose turn it is, and the life in it that the entry still is that frame's. */
passtime_result passtime_feed_results_ready(passtime *t, uint64_t number,
                                            const passtime_feed_results *results)
{
    struct feed *feed = passtime_front_self(t, &feed_ops);
    uint32_t entry = feed != NULL ? passtime_front_frame_entry(t, number) : PASSTIME_NONE;
    if (results == NULL || results->size != sizeof(*results) ||
        (uint32_t)results->status > PASSTIME_FEED_TIMED_OUT || entry == PASSTIME_NONE) {
        return PASSTIME_INVALID;
    }
    struct feed_entry *e = &feed->entries[entry];
    unsigned word = atomic_load(&e->word);
    if (state_of(word) != FEED_AWAITING || atomic_load(&e->number) != number || is_gone(feed, e) ||
        !atomic_compare_exchange_strong(&e->word, &word, with_state(word, FEED_TAKING))) {
        return PASSTIME_INVALID;
    }
    uint64_t seen_ns = results->seen_ns != 0 ? results->seen_ns : passtime_front_now(t);
    copy_results(feed, e, results, seen_ns);
    word = with_state(word, FEED_TAKING);
    if (!atomic_compare_exchange_strong(&e->word, &word, with_state(word, FEED_GIVEN))) {
        atomic_store(&e->word, with_state(word, FEED_IDLE)); /* DROPPED: nobody else touches it. */
        return PASSTIME_INVALID;
    }
    return PASSTIME_OK;
}

passtime_result passtime_feed_set_tick(passtime *t, uint64_t tick_ns_num, uint64_t tick_ns_den)
{
    struct feed *feed = passtime_front_self(t, &feed_ops);
    if (feed == NULL) {
        return PASSTIME_INVALID;
    }
    feed->unit = (struct passtime_unit){tick_ns_num, tick_ns_den};
    return PASSTIME_OK;
}

void passtime_feed_lost(passtime *t, bool lost)
{
    struct feed *feed = passtime_front_self(t, &feed_ops);
    if (feed == NULL) {
        return;
    }
    if (lost) {
        atomic_fetch_add(&feed->losses, 1);
    }
    for (uint32_t i = 0; !lost && i < feed->desc.frames_in_flight; i++) {
        atomic_store(&feed->entries[i].fresh, true);
    }
    atomic_store(&feed->lost, lost);
}
