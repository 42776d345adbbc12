/* SPDX-License-Identifier: MIT */
/* Frames copied, for callers that keep what a visitor is shown. */
#include "read/capture_read.h"

#include <stdlib.h>
#include <string.h>

static size_t text_bytes(const passtime_frame *frame)
{
    size_t bytes = 0;
    for (uint32_t i = 0; i < frame->sample_count; i++)
        bytes += strlen(frame->samples[i].name) + 1;
    for (uint32_t i = 0; i < frame->scope_count; i++)
        bytes += strlen(frame->scopes[i].name) + 1;
    return bytes;
}

static const char *keep(char **at, const char *text)
{
    const size_t bytes = strlen(text) + 1;
    char *kept = memcpy(*at, text, bytes);
    *at += bytes;
    return kept;
}

passtime_frame *passtime_frame_copy(const passtime_frame *frame)
{
    const size_t samples_bytes = frame->sample_count * sizeof(passtime_sample);
    const size_t scopes_bytes = frame->scope_count * sizeof(passtime_scope);
    char *memory = malloc(sizeof *frame + samples_bytes + scopes_bytes + text_bytes(frame));
    if (memory == NULL)
        return NULL;
    passtime_frame *copy = (passtime_frame *)(void *)memory;
    passtime_sample *samples = (passtime_sample *)(void *)(memory + sizeof *frame);
    passtime_scope *scopes = (passtime_scope *)(void *)(memory + sizeof *frame + samples_bytes);
    char *texts = memory + sizeof *frame + samples_bytes + scopes_bytes;
    *copy = *frame;
    if (frame->sample_count > 0)
        memcpy(samples, frame->samples, samples_bytes);
    if (frame->scope_count > 0)
        memcpy(scopes, frame->scopes, scopes_bytes);
    for (uint32_t i = 0; i < frame->sample_count; i++)
        samples[i].name = keep(&texts, samples[i].name);
    for (uint32_t i = 0; i < frame->scope_count; i++)
        scopes[i].name = keep(&texts, scopes[i].name);
    copy->samples = samples;
    copy->scopes = scopes;
    return copy;
}
