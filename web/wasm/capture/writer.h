/* SPDX-License-Identifier: MIT */
/*
 * The module that writes captures in a browser: the sink's own code (src/sink), fed with frames and
 * figures that JavaScript copies out of the core's memory as they are. It imports nothing and takes
 * its memory when a writer is made. One thread.
 *
 * A record is a frame as it stands in memory, with all that it points to behind it: the frame, its
 * scopes, its samples, and the names, each ended by a zero. Its pointers are offsets from the
 * record's begin.
 */
#ifndef PASSTIME_WEB_CAPTURE_WRITER_H
#define PASSTIME_WEB_CAPTURE_WRITER_H

#include <passtime/passtime.h>

/* Room for each text about the adapter, its closing zero included. */
enum { PASSTIME_WEB_CAPTURE_TEXT_BYTES = 512 };

struct passtime_web_capture;

/* Makes a writer for records of so many bytes and events (a frame, a scope, a pass: one each), and
 * for figures of so many series. NULL: no memory. There is one a module, which is given up whole.
 */
struct passtime_web_capture *
passtime_web_capture_create(uint32_t record_bytes, uint32_t record_events, uint32_t series_count);

/* Where a text about the adapter goes: 0 api, 1 name, 2 driver, 3 kind. Empty: not known. */
char *passtime_web_capture_text(struct passtime_web_capture *w, uint32_t which);
/* Begins the file. `number`, a whole one below 2^38, tells it from others; 0 as budget: none.
 * `events_lost` were judged since the capture began, and are not in it. As with all calls that
 * write, false: it can't be written any more, and the bytes are to be thrown away. */
bool passtime_web_capture_begin(struct passtime_web_capture *w, double number, double budget_ns,
                                double events_lost, bool software);

/* Where a record goes before passtime_web_capture_frame() writes it. */
uint8_t *passtime_web_capture_record(struct passtime_web_capture *w);
bool passtime_web_capture_frame(struct passtime_web_capture *w, uint32_t record_bytes);

/* Where the figures of the context go. Series come in the order of their numbers; one that gave up
 * its place is not there, and NULL then. */
passtime_clock_info *passtime_web_capture_clock(struct passtime_web_capture *w);
passtime_ledger *passtime_web_capture_ledger(struct passtime_web_capture *w);
passtime_stats *passtime_web_capture_total(struct passtime_web_capture *w, uint32_t which);
passtime_series_info *passtime_web_capture_series(struct passtime_web_capture *w, bool there);
/* Writes these figures, after the last frame. */
bool passtime_web_capture_summary(struct passtime_web_capture *w);

/* What begin, frame or summary wrote; valid until the next of them. */
const uint8_t *passtime_web_capture_bytes(const struct passtime_web_capture *w);
uint32_t passtime_web_capture_size(const struct passtime_web_capture *w);

#endif
