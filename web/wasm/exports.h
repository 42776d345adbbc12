/* SPDX-License-Identifier: MIT */
/*
 * What the wasm module exports: the core and the relay in the types that JavaScript hands over
 * without an allocation: 32-bit integers, pointers, and doubles for frame numbers and times (a
 * double holds a page's life in nanoseconds exactly for 104 days).
 */
#ifndef PASSTIME_WEB_EXPORTS_H
#define PASSTIME_WEB_EXPORTS_H

#include "relay.h"

/* Makes a context; NULL: no memory, or a limit out of range. `every` and the limits as in
 * passtime_desc. */
struct passtime_web *passtime_web_create(uint32_t source, uint32_t flags, uint32_t max_passes,
                                         uint32_t max_scopes, uint32_t max_recorders,
                                         uint32_t max_names, uint32_t frames_in_flight,
                                         uint32_t output_frames, double timeout_ns, double now_ns);
void passtime_web_destroy(struct passtime_web *web);

/* Frames and recorders. */
passtime_recorder *passtime_web_frame_begin(struct passtime_web *web, double number, double now_ns);
passtime_recorder *passtime_web_recorder_begin(struct passtime_web *web, double number);
uint32_t passtime_web_entry_of(const passtime_recorder *rec);
int32_t passtime_web_frame_end(struct passtime_web *web, double number, double now_ns);
void passtime_web_collect(struct passtime_web *web, double now_ns);

/* Names: bytes are written to passtime_web_name_at() first. */
char *passtime_web_name_at(struct passtime_web *web);
passtime_id passtime_web_find_name(passtime_recorder *rec, uint32_t bytes);

/* Passes. Each returns the number of the pair, or -1 where the pass is not timed. */
int32_t passtime_web_pass(passtime_recorder *rec, passtime_id id);
int32_t passtime_web_open(passtime_recorder *rec, passtime_id id, double now_ns);
int32_t passtime_web_close(passtime_recorder *rec, double now_ns, uint32_t flags);
void passtime_web_refuse(passtime_recorder *rec, uint32_t pair);
/* Names a pass once it is known what it runs. */
void passtime_web_rename(passtime_recorder *rec, uint32_t pair, passtime_id id);
void passtime_web_scope_begin(passtime_recorder *rec, passtime_id id);
void passtime_web_scope_end(passtime_recorder *rec);
void passtime_web_submitted(passtime_recorder *rec, double now_ns);
void passtime_web_discarded(passtime_recorder *rec, double now_ns);

/* Resolving. -1: no frame waits for it. The shim then works on this entry in this life. */
int32_t passtime_web_to_resolve(struct passtime_web *web);
uint32_t passtime_web_life(struct passtime_web *web, uint32_t entry);
uint32_t passtime_web_pair_end(struct passtime_web *web, uint32_t entry);
/* Where a frame's ticks go, two 32-bit words each, and a byte a tick that says it is there. */
uint64_t *passtime_web_ticks_at(struct passtime_web *web, uint32_t entry);
uint8_t *passtime_web_available_at(struct passtime_web *web, uint32_t entry);
/* The pairs asked for, a byte each. */
uint8_t *passtime_web_asked_at(struct passtime_web *web, uint32_t entry);
bool passtime_web_results(struct passtime_web *web, uint32_t entry, uint32_t life, uint32_t status,
                          double seen_ns, double complete_begin_ns, double complete_end_ns);
/* A pass that was recorded may run long after: the entry's query set is given up with the frame. */
void passtime_web_taint(struct passtime_web *web, uint32_t entry);
void passtime_web_lost(struct passtime_web *web, bool lost);

/* What came of it. Pointers are valid until the next call of the same function. */
const passtime_frame *passtime_web_next(struct passtime_web *web);
uint32_t passtime_web_series_count(struct passtime_web *web);
const passtime_series_info *passtime_web_series(struct passtime_web *web, uint32_t index);
const passtime_stats *passtime_web_total(struct passtime_web *web, uint32_t which);
const passtime_ledger *passtime_web_ledger(struct passtime_web *web);
const passtime_clock_info *passtime_web_clock(struct passtime_web *web);
const struct passtime_web_note *passtime_web_notes(struct passtime_web *web);
uint32_t passtime_web_memory_bytes(struct passtime_web *web);

/* Switches. */
void passtime_web_enable(struct passtime_web *web, bool enabled);
void passtime_web_every(struct passtime_web *web, uint32_t every);
void passtime_web_budget(struct passtime_web *web, double budget_ns);
void passtime_web_reset_stats(struct passtime_web *web);

/* Words: 0 verdicts, 1 sources, 2 fates. NULL beyond the last. */
const char *passtime_web_word(uint32_t kind, uint32_t index);
/* The offsets of fields in the structures above; see layout.c. For the build. */
const uint16_t *passtime_web_layout(void);
uint32_t passtime_web_layout_count(void);

#endif
