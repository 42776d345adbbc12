/* SPDX-License-Identifier: MIT */
/*
 * Captures: judged frames written as a Perfetto trace, which ui.perfetto.dev opens. Link
 * passtime::capture. A capture is a stream of packets: a program that is killed leaves a readable
 * file.
 */
#ifndef PASSTIME_SINK_H
#define PASSTIME_SINK_H

#include <passtime/passtime.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A capture being written. Opaque. One thread at a time. */
typedef struct passtime_capture passtime_capture;

/* What was measured, in words for people. Texts are UTF-8; NULL: not known. */
typedef struct passtime_adapter_info {
    const char *api;    /* "webgpu", "gl", "gles", "cpu", "feed" */
    const char *name;   /* of the adapter, "llvmpipe (LLVM 15.0.6, 256 bits)" */
    const char *driver; /* "Mesa 22.3.6" */
    const char *kind;   /* "discrete", "integrated", "software", "unknown" */
    bool software;      /* rendered by the CPU */
} passtime_adapter_info;

/* Where the bytes of a capture go. */
typedef struct passtime_writer {
    /* Writes all of `bytes`; false: it could not, and the capture writes no more. */
    bool (*write)(void *user, const void *data, size_t bytes);
    void *user; /* handed to write */
} passtime_writer;

/* How a capture is made. 0 in any field means its default. */
typedef struct passtime_capture_desc {
    uint32_t size;     /* sizeof(passtime_capture_desc); the initialiser sets it */
    uint32_t reserved; /* must be 0 */
    const passtime_adapter_info *adapter; /* copied; NULL: not known */
    uint64_t max_events;                  /* frame events written at most; default 4,000,000 */
    uint64_t budget_ns;                   /* shown as a counter beside busy; 0: none */
} passtime_capture_desc;

#define PASSTIME_CAPTURE_DESC_INIT                                                                 \
    {                                                                                              \
        sizeof(passtime_capture_desc), 0, NULL, 0, 0                                               \
    }

/* Opens a capture that writes to a file, or to `writer`. `desc` may be NULL. IO: the file could not
 * be made. On failure *c is NULL. Allocates by malloc; frames then allocate nothing. */
PASSTIME_API passtime_result passtime_capture_open(const char *path,
                                                   const passtime_capture_desc *desc,
                                                   passtime_capture **c);
PASSTIME_API passtime_result passtime_capture_open_writer(const passtime_writer *writer,
                                                          const passtime_capture_desc *desc,
                                                          passtime_capture **c);
/* Adds a judged frame. FULL: max_events is reached; neither this frame nor any after it is written,
 * and passtime_capture_events_lost() counts what they hold. IO: the capture cannot be written any
 * more; sticky. INVALID: `c` or `frame` is NULL, or the summary is written already. Never
 * allocates; writes the frame before it returns. */
PASSTIME_API passtime_result passtime_capture_frame(passtime_capture *c,
                                                    const passtime_frame *frame);
/* From now on each pass that counted carries its shader counters (passtime/counters.h), as
 * annotations with their names and units; the summary has their figures in any case. Each frame
 * added must be the one that passtime_next(t) gave last. INVALID: `c` is NULL, or `t` has no
 * counters. `t` must outlive the last frame added. */
PASSTIME_API passtime_result passtime_capture_counters(passtime_capture *c, passtime *t);
/* Adds the exact statistics and the ledger of `t`, whatever max_events is; call it once, before
 * close. IO as above. NO_MEMORY: nothing was added, and reports make the figures anew from the
 * events. */
PASSTIME_API passtime_result passtime_capture_summary(passtime_capture *c, passtime *t);
/* Ends a capture and sets *c to NULL. Says whether every byte was written. NULL is legal. */
PASSTIME_API passtime_result passtime_capture_close(passtime_capture **c);
/* Frame events (a frame, a scope, a pass: one each) that had no room under max_events. */
PASSTIME_API uint64_t passtime_capture_events_lost(const passtime_capture *c);

#ifdef __cplusplus
}
#endif

#endif
