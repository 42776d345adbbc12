/* SPDX-License-Identifier: MIT */
#include "exports.h"

static uint64_t web_clock(void *user)
{
    const struct passtime_web *web = user;
    return web->now_ns;
}

static void web_log(void *user, passtime_log_item item, const char *message)
{
    struct passtime_web *web = user;
    if ((uint32_t)item < PASSTIME_WEB_NOTES) {
        web->notes[item].count++;
        web->notes[item].message = message; /* The core's texts are static. */
    }
}

static uint64_t u64(double value)
{
    return value > 0 ? (uint64_t)value : 0;
}

/* One block an entry, ticks first; see relay_destroy. */
static bool allocate_entries(struct passtime_web *web)
{
    size_t pairs = web->max_passes;
    web->entries = passtime_front_allocate(&web->desc, web->entry_count * sizeof(*web->entries));
    if (web->entries == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < web->entry_count; i++) {
        struct passtime_web_entry *e = &web->entries[i];
        e->ticks = passtime_front_allocate(&web->desc, 4 * pairs * sizeof(*e->ticks) + 5 * pairs);
        if (e->ticks == NULL) {
            return false;
        }
        e->last = e->ticks + 2 * pairs;
        e->asked = (uint8_t *)(e->last + 2 * pairs);
        e->known = e->asked + pairs;
        e->suspect = e->known + pairs;
        e->available = e->suspect + pairs;
        e->pairs = web->flags & PASSTIME_WEB_BANKS ? 0 : web->max_passes;
        e->wish = web->flags & PASSTIME_WEB_BANKS ? 32 : 0;
        e->wish = e->wish < web->max_passes ? e->wish : web->max_passes;
    }
    return true;
}

static struct passtime_web *make_object(const passtime_desc *desc, uint32_t source, uint32_t flags,
                                        double now_ns)
{
    uint32_t bits = flags >> PASSTIME_WEB_BITS_SHIFT;
    struct passtime_web *web = passtime_front_allocate(desc, sizeof(*web));
    if (web == NULL) {
        return NULL;
    }
    web->desc = *desc;
    web->desc.clock = web_clock;
    web->desc.clock_user = web;
    web->desc.log = web_log;
    web->desc.log_user = web;
    web->source = (passtime_source)source;
    web->flags = flags;
    web->valid_bits = bits > 0 && bits < 64 ? bits : 64;
    web->max_passes = desc->max_passes;
    web->entry_count = desc->frames_in_flight;
    web->now_ns = u64(now_ns);
    return web;
}

static struct passtime_web *make_context(struct passtime_web *web)
{
    struct passtime_traits traits = {
        .source = web->source,
        .valid_bits = web->valid_bits,
        .unit = {1, 1},
        .has_envelope = true,
        .boundary_unverified = (web->flags & PASSTIME_WEB_UNVERIFIED) != 0,
        .zero_means_unwritten = (web->flags & PASSTIME_WEB_BANKS) != 0};
    if (!allocate_entries(web) || passtime_front_create(&passtime_web_ops, web, &traits, &web->desc,
                                                        &web->t) != PASSTIME_OK) {
        passtime_web_ops.destroy(web);
        return NULL;
    }
    return web;
}

struct passtime_web *passtime_web_create(uint32_t source, uint32_t flags, uint32_t max_passes,
                                         uint32_t max_scopes, uint32_t max_recorders,
                                         uint32_t max_names, uint32_t frames_in_flight,
                                         uint32_t output_frames, double timeout_ns, double now_ns)
{
    passtime_desc desc = PASSTIME_DESC_INIT;
    passtime_desc resolved;
    desc.max_passes = max_passes;
    desc.max_scopes = max_scopes;
    desc.max_recorders = max_recorders;
    desc.max_names = max_names;
    desc.frames_in_flight = frames_in_flight;
    desc.output_frames = output_frames;
    desc.timeout_ns = u64(timeout_ns);
    desc.seed = u64(now_ns) | 1u;
    if (source >= PASSTIME_SOURCE_COUNT ||
        passtime_front_resolve_desc(&desc, 8, &resolved) != PASSTIME_OK) {
        return NULL;
    }
    struct passtime_web *web = make_object(&resolved, source, flags, now_ns);
    return web != NULL ? make_context(web) : NULL;
}

void passtime_web_destroy(struct passtime_web *web)
{
    passtime *t = web->t; /* The relay, which t leads to, is freed with it. */
    passtime_destroy(&t);
}

passtime_recorder *passtime_web_frame_begin(struct passtime_web *web, double number, double now_ns)
{
    web->now_ns = u64(now_ns);
    return passtime_frame_begin(web->t, u64(number));
}

passtime_recorder *passtime_web_recorder_begin(struct passtime_web *web, double number)
{
    return passtime_recorder_begin(web->t, u64(number));
}

uint32_t passtime_web_entry_of(const passtime_recorder *rec)
{
    return passtime_front_recorder_entry(rec);
}

int32_t passtime_web_frame_end(struct passtime_web *web, double number, double now_ns)
{
    web->now_ns = u64(now_ns);
    return passtime_frame_end(web->t, u64(number));
}

void passtime_web_collect(struct passtime_web *web, double now_ns)
{
    web->now_ns = u64(now_ns);
    passtime_collect(web->t);
}

char *passtime_web_name_at(struct passtime_web *web)
{
    return web->name;
}

passtime_id passtime_web_find_name(passtime_recorder *rec, uint32_t bytes)
{
    const struct passtime_web *web = passtime_front_recorder_self(rec, &passtime_web_ops);
    return web != NULL ? passtime_front_name_n(rec, web->name, bytes) : 0;
}

static bool is_suspect(passtime_recorder *rec, struct passtime_place place)
{
    const struct passtime_web *web = passtime_front_recorder_self(rec, &passtime_web_ops);
    return web->entries[place.entry].suspect[place.pair] != 0;
}

int32_t passtime_web_pass(passtime_recorder *rec, passtime_id id)
{
    struct passtime_place place;
    if (!passtime_front_pass(rec, id, &place)) {
        return -1;
    }
    if (is_suspect(rec, place)) {
        passtime_front_refuse(rec, place);
        return -1;
    }
    return (int32_t)place.pair;
}

static bool stamp(passtime_recorder *rec, struct passtime_place place, uint32_t which,
                  double now_ns)
{
    struct passtime_web *web = passtime_front_recorder_self(rec, &passtime_web_ops);
    web->now_ns = u64(now_ns);
    return passtime_web_ops.mark(web, place.entry, 2 * place.pair + which);
}

int32_t passtime_web_open(passtime_recorder *rec, passtime_id id, double now_ns)
{
    struct passtime_place place;
    if (!passtime_front_open(rec, id, &place)) {
        return -1;
    }
    if (is_suspect(rec, place)) {
        passtime_front_refuse(rec, place);
        return -1;
    }
    (void)stamp(rec, place, 0, now_ns);
    return (int32_t)place.pair;
}

int32_t passtime_web_close(passtime_recorder *rec, double now_ns, uint32_t flags)
{
    struct passtime_place place;
    if (!passtime_front_close(rec, &place)) {
        return -1;
    }
    (void)stamp(rec, place, 1, now_ns);
    if (flags != 0) {
        passtime_front_flag(rec, place, flags);
    }
    return (int32_t)place.pair;
}

void passtime_web_refuse(passtime_recorder *rec, uint32_t pair)
{
    passtime_front_refuse(rec, (struct passtime_place){passtime_front_recorder_entry(rec), pair});
}

void passtime_web_rename(passtime_recorder *rec, uint32_t pair, passtime_id id)
{
    struct passtime_place place = {passtime_front_recorder_entry(rec), pair};
    passtime_front_rename(rec, place, id);
}

void passtime_web_scope_begin(passtime_recorder *rec, passtime_id id)
{
    passtime_scope_begin_id(rec, id);
}

void passtime_web_scope_end(passtime_recorder *rec)
{
    passtime_scope_end(rec);
}

static void set_clock(passtime_recorder *rec, double now_ns)
{
    struct passtime_web *web = passtime_front_recorder_self(rec, &passtime_web_ops);
    web->now_ns = u64(now_ns);
}

void passtime_web_submitted(passtime_recorder *rec, double now_ns)
{
    set_clock(rec, now_ns);
    passtime_submitted(rec);
}

void passtime_web_discarded(passtime_recorder *rec, double now_ns)
{
    set_clock(rec, now_ns);
    passtime_discarded(rec);
}

int32_t passtime_web_to_resolve(struct passtime_web *web)
{
    for (uint32_t i = 0; i < web->entry_count; i++) {
        if (web->entries[i].phase == PASSTIME_WEB_TO_RESOLVE) {
            web->entries[i].phase = PASSTIME_WEB_AWAITING;
            return (int32_t)i;
        }
    }
    return -1;
}

uint32_t passtime_web_life(struct passtime_web *web, uint32_t entry)
{
    return web->entries[entry].life;
}

uint32_t passtime_web_pair_end(struct passtime_web *web, uint32_t entry)
{
    return web->entries[entry].pair_end;
}

uint64_t *passtime_web_ticks_at(struct passtime_web *web, uint32_t entry)
{
    return web->entries[entry].ticks;
}

uint8_t *passtime_web_available_at(struct passtime_web *web, uint32_t entry)
{
    return web->entries[entry].available;
}

uint8_t *passtime_web_asked_at(struct passtime_web *web, uint32_t entry)
{
    return web->entries[entry].asked;
}

bool passtime_web_results(struct passtime_web *web, uint32_t entry, uint32_t life, uint32_t status,
                          double seen_ns, double complete_begin_ns, double complete_end_ns)
{
    struct passtime_web_entry *e = &web->entries[entry];
    if (e->life != life || e->phase != PASSTIME_WEB_AWAITING) {
        return false;
    }
    e->status = (enum passtime_web_status)status;
    e->seen_ns = u64(seen_ns);
    e->complete_begin_ns = u64(complete_begin_ns);
    e->complete_end_ns = u64(complete_end_ns);
    e->phase = PASSTIME_WEB_GIVEN;
    return true;
}

void passtime_web_taint(struct passtime_web *web, uint32_t entry)
{
    web->entries[entry].tainted = true;
}

void passtime_web_lost(struct passtime_web *web, bool lost)
{
    web->lost = lost;
}

const passtime_frame *passtime_web_next(struct passtime_web *web)
{
    return passtime_next(web->t, &web->frame) == PASSTIME_OK ? web->frame : NULL;
}

uint32_t passtime_web_series_count(struct passtime_web *web)
{
    return passtime_series_count(web->t);
}

const passtime_series_info *passtime_web_series(struct passtime_web *web, uint32_t index)
{
    return passtime_series(web->t, index, &web->series) == PASSTIME_OK ? &web->series : NULL;
}

const passtime_stats *passtime_web_total(struct passtime_web *web, uint32_t which)
{
    passtime_result result = passtime_frame_stats(web->t, (passtime_total)which, &web->stats);
    return result == PASSTIME_OK ? &web->stats : NULL;
}

const passtime_ledger *passtime_web_ledger(struct passtime_web *web)
{
    (void)passtime_get_ledger(web->t, &web->ledger);
    return &web->ledger;
}

const passtime_clock_info *passtime_web_clock(struct passtime_web *web)
{
    (void)passtime_get_clock(web->t, &web->clock);
    return &web->clock;
}

const struct passtime_web_note *passtime_web_notes(struct passtime_web *web)
{
    return web->notes;
}

uint32_t passtime_web_memory_bytes(struct passtime_web *web)
{
    return (uint32_t)passtime_memory_bytes(web->t);
}

void passtime_web_enable(struct passtime_web *web, bool enabled)
{
    passtime_enable(web->t, enabled);
}

void passtime_web_every(struct passtime_web *web, uint32_t every)
{
    passtime_set_every(web->t, every);
}

void passtime_web_budget(struct passtime_web *web, double budget_ns)
{
    passtime_set_budget(web->t, u64(budget_ns));
}

void passtime_web_reset_stats(struct passtime_web *web)
{
    passtime_reset_stats(web->t);
}

const char *passtime_web_word(uint32_t kind, uint32_t index)
{
    if (kind == 0 && index < PASSTIME_VERDICT_COUNT) {
        return passtime_verdict_name((passtime_verdict)index);
    }
    if (kind == 1 && index < PASSTIME_SOURCE_COUNT) {
        return passtime_source_name((passtime_source)index);
    }
    if (kind == 2 && index < PASSTIME_FATE_COUNT) {
        return passtime_fate_name((passtime_fate)index);
    }
    return NULL;
}
