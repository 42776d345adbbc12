/* SPDX-License-Identifier: MIT */
/* What makes the numbers of a report doubtful, in words: said before the numbers. */
#include "sink/report_figures.h"

#include <stdarg.h>

struct notes {
    struct passtime_note *list;
    size_t count;
};

__attribute__((format(printf, 3, 4))) static void add(struct notes *notes, const char *code,
                                                      const char *format, ...)
{
    if (notes->count == PASSTIME_NOTES_MAX)
        return;
    struct passtime_note *note = &notes->list[notes->count++];
    va_list arguments;
    note->code = code;
    va_start(arguments, format);
    vsnprintf(note->text, sizeof note->text, format, arguments);
    va_end(arguments);
}

static unsigned long long number(uint64_t value)
{
    return (unsigned long long)value;
}

static const char *plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

/* Marks that any pass carries. */
static void series_marks(const struct passtime_snapshot *snapshot, uint32_t *flags,
                         uint32_t *stats_flags)
{
    *flags = 0;
    *stats_flags = 0;
    for (uint32_t i = 0; i < snapshot->series_count; i++) {
        *flags |= snapshot->series[i].flags;
        *stats_flags |= snapshot->series[i].stats.flags;
    }
}

static void note_origin(struct notes *notes, const struct passtime_report_context *context)
{
    const struct passtime_snapshot *snapshot = context->snapshot;
    if (context->truncated_bytes > 0)
        add(notes, "truncated",
            "the capture breaks off at byte %llu: what is whole before it counts",
            number(context->truncated_bytes));
    if (snapshot->origin == PASSTIME_SNAPSHOT_EVENTS)
        add(notes, "rebuilt",
            "rebuilt from events: the capture has no summary (its program was killed?), so counts "
            "of frames and of losses may be too low");
    if (snapshot->events_lost > 0)
        add(notes, "events_lost", "%llu event%s had no room in the capture%s",
            number(snapshot->events_lost), plural(snapshot->events_lost),
            snapshot->origin == PASSTIME_SNAPSHOT_EVENTS
                ? ": the figures leave them out"
                : "; the figures here, from its summary, count them");
}

static void note_method(struct notes *notes, const struct passtime_snapshot *snapshot)
{
    if (snapshot->adapter.software)
        add(notes, "software",
            "software adapter: the CPU plays the GPU. The times are real, but not those of a GPU");
    if (passtime_submit_draws(snapshot))
        add(notes, "submit_draws",
            "this driver draws within the submit call: CPU submit holds the time of the passes "
            "too");
    if (!passtime_is_gpu_time(snapshot->clock.source))
        add(notes, "cpu_time",
            "not GPU time: the CPU's clock around recording and completion, for want of GPU "
            "stamps");
    uint64_t unitless = snapshot->ledger.verdicts[PASSTIME_UNIT_UNKNOWN];
    if (unitless > 0)
        add(notes, "unit_unknown", "%llu pass%s no time: the length of the GPU's tick is not known",
            number(unitless), unitless == 1 ? " has" : "es have");
    if (snapshot->clock.clock_epoch > 0)
        add(notes, "clock_reset", "the GPU's clock was reset %u time%s during the run",
            snapshot->clock.clock_epoch, plural(snapshot->clock.clock_epoch));
}

static void note_series(struct notes *notes, const struct passtime_snapshot *snapshot)
{
    uint32_t flags, stats_flags;
    series_marks(snapshot, &flags, &stats_flags);
    if (stats_flags & PASSTIME_STATS_QUANTIZED)
        add(notes, "quantized",
            "quantized: stamps come in steps of %llu ns. %s; percentiles and extremes of single "
            "samples mean nothing there and are left out",
            number(snapshot->clock.quantum_ns),
            stats_flags & PASSTIME_STATS_LOCKED ? "Means stand with their error"
                                                : "Means are unbiased");
    if (stats_flags & PASSTIME_STATS_LOCKED)
        add(notes, "locked_phase",
            "locked phase: frames keep step with the clock's steps, so each duration is rounded "
            "the same way in every frame. Means may be off by up to a step, however many frames "
            "there are; errors and intervals allow for it");
    if (stats_flags & PASSTIME_STATS_BIASED)
        add(notes, "biased",
            "more than 1 %% of a pass's samples were rejected: its mean may be off");
    if (flags & PASSTIME_FLAG_BOUNDARY_UNVERIFIED)
        add(notes, "boundary_unverified",
            "boundary unverified: this GPU may stamp a pass early or late (tilers do), so time can "
            "move between neighbouring passes, or out of the frame");
    if (flags & PASSTIME_FLAG_UNIT_DOUBTFUL)
        add(notes, "unit_doubtful",
            "unit doubtful: the GPU's clock does not keep pace with the CPU's, so the tick length "
            "that the program gave is probably wrong, and with it every time here");
    if (flags & PASSTIME_FLAG_OUTSIDE_ENVELOPE)
        add(notes, "outside_envelope",
            "some stamps do not fit the CPU's clock: their place in time is doubtful");
    if (flags & PASSTIME_FLAG_OTHER)
        add(notes, "other", "more names than the context had room for: some are in \"(other)\"");
}

static void note_frames(struct notes *notes, const struct passtime_snapshot *snapshot)
{
    const passtime_ledger *ledger = &snapshot->ledger;
    struct passtime_figures figures = passtime_figures_of(snapshot);
    uint64_t incomplete = ledger->fates[PASSTIME_FRAME_INCOMPLETE];
    uint64_t no_data = ledger->fates[PASSTIME_FRAME_NO_DATA];
    uint64_t full = ledger->fates[PASSTIME_FRAME_SKIPPED_FULL];
    if (figures.timed == 0)
        add(notes, "nothing_timed", "no frame was timed");
    if (incomplete > 0)
        add(notes, "incomplete",
            "%llu of %llu timed frames lack a pass: kept out of the frame's figures, never within "
            "budget",
            number(incomplete), number(figures.timed));
    if (no_data > 0)
        add(notes, "no_data", "%llu frame%s did not come back", number(no_data), plural(no_data));
    if (full > 0)
        add(notes, "skipped",
            "%llu frame%s not timed, as too many were in flight. This happens after slow frames, "
            "so "
            "slow ones may be missing",
            number(full), full == 1 ? " was" : "s were");
}

static void note_use(struct notes *notes, const struct passtime_snapshot *snapshot)
{
    const passtime_ledger *ledger = &snapshot->ledger;
    if (ledger->unpumped > 0)
        add(notes, "unpumped",
            "results were overdue while nobody processed events: call wgpuInstanceProcessEvents "
            "each "
            "frame");
    if (ledger->misuses > 0)
        add(notes, "misuses", "%llu call%s of the program broke a rule and did nothing",
            number(ledger->misuses), plural(ledger->misuses));
}

size_t passtime_notes(const struct passtime_report_context *context,
                      struct passtime_note list[PASSTIME_NOTES_MAX])
{
    struct notes notes = {.list = list};
    note_origin(&notes, context);
    note_method(&notes, context->snapshot);
    note_frames(&notes, context->snapshot);
    note_series(&notes, context->snapshot);
    note_use(&notes, context->snapshot);
    return notes.count;
}
