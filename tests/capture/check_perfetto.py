#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Reads captures with Perfetto's own classes and checks that they are what Perfetto takes.

Usage: check_perfetto.py WRITER READER PROTO PROTOC [CAPTURE...]
       check_perfetto.py WRITER READER --only CAPTURE...

WRITER is the program write_captures; one capture of each of its modes is checked, one of a run that was
killed with -9, and every CAPTURE. READER is read_capture: our own reader must find in them what Perfetto's
classes find. PROTO is our schema: each of its fields must be Perfetto's.
With --only, nothing but these captures is looked at.
"""
import os
import pathlib
import signal
import subprocess
import sys
import tempfile

from google.protobuf import descriptor_pb2
from perfetto.protos.perfetto.trace import perfetto_trace_pb2 as perfetto

CLEARED, NEEDS = 1, 2
BEGIN, END, INSTANT, COUNTER = 1, 2, 3, 4
MONOTONIC = 3


class Fault(Exception):
    pass


def demand(holds, what):
    if not holds:
        raise Fault(what)


def check_schema(proto, protoc):
    """Every message, field number, type and enum value of ours is one of theirs."""
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "set")
        subprocess.run([protoc, f"--proto_path={proto.parent}", f"--descriptor_set_out={out}",
                        str(proto)], check=True)
        ours = descriptor_pb2.FileDescriptorSet.FromString(pathlib.Path(out).read_bytes()).file[0]
    checked = 0
    for message in ours.message_type:
        checked += check_message(message, getattr(perfetto, message.name).DESCRIPTOR)
    for enum in ours.enum_type:
        check_enum(enum, getattr(perfetto, enum.name).DESCRIPTOR)
    demand(checked > 50, f"only {checked} fields of the schema were compared")
    return checked


def check_message(ours, theirs):
    for field in ours.field:
        where = f"{theirs.full_name}.{field.name}"
        other = theirs.fields_by_name.get(field.name)
        demand(other is not None, f"Perfetto has no {where}")
        demand(other.number == field.number, f"{where} is {other.number}, ours {field.number}")
        demand(other.type == field.type, f"{where} is of type {other.type}, ours {field.type}")
    for enum in ours.enum_type:
        check_enum(enum, theirs.enum_types_by_name[enum.name])
    nested = sum(check_message(m, theirs.nested_types_by_name[m.name]) for m in ours.nested_type)
    return len(ours.field) + nested


def check_enum(ours, theirs):
    for value in ours.value:
        other = theirs.values_by_name.get(value.name)
        demand(other is not None, f"Perfetto has no {theirs.full_name}.{value.name}")
        demand(other.number == value.number, f"{value.name} is {other.number}")


def whole_part(data):
    """The packets that are whole: what a killed program or a full disk leaves."""
    at = 0
    while at < len(data):
        demand(data[at] == 0x0A, f"no packet begins at byte {at}")
        size, shift, end = 0, 0, at + 1
        while end < len(data):
            size |= (data[end] & 0x7F) << shift
            shift += 7
            end += 1
            if data[end - 1] < 0x80:
                break
        else:
            return data[:at]
        if end + size > len(data):
            return data[:at]
        at = end + size
    return data


class Sequence:
    """What the packets of one sequence refer to, as a reader of Perfetto's keeps it."""

    def __init__(self):
        self.clear()
        self.clocks = {}

    def clear(self):
        self.names, self.keys, self.values = {}, {}, {}
        self.clock, self.track = MONOTONIC, 0

    def take(self, packet):
        if packet.HasField("trace_packet_defaults"):
            defaults = packet.trace_packet_defaults
            self.clock = defaults.timestamp_clock_id
            self.track = defaults.track_event_defaults.track_uuid
        for table, entries in ((self.names, packet.interned_data.event_names),
                               (self.keys, packet.interned_data.debug_annotation_names)):
            for entry in entries:
                demand(table.get(entry.iid, entry.name) == entry.name, "an iid means two things")
                table[entry.iid] = entry.name
        for entry in packet.interned_data.debug_annotation_string_values:
            self.values[entry.iid] = entry.str.decode("utf-8")


class Capture:
    """Walks a trace packet by packet, and demands of each what Perfetto would."""

    def __init__(self, data, path):
        self.path = path
        self.trace = perfetto.Trace.FromString(data)
        self.sequences = {}
        self.tracks = {}
        self.stacks = {}
        self.last = {}
        self.slices, self.instants, self.counters, self.frames = [], [], [], []
        self.summaries, self.series = [], []
        self.snapshot_ns = -1
        for packet in self.trace.packet:
            self.take(packet)
        for uuid, stack in self.stacks.items():
            self.open_at_end = getattr(self, "open_at_end", 0) + len(stack)

    def take(self, packet):
        sequence = self.sequences.get(packet.trusted_packet_sequence_id)
        if packet.sequence_flags & CLEARED:
            if sequence is None:
                sequence = self.sequences[packet.trusted_packet_sequence_id] = Sequence()
            sequence.clear()
        demand(sequence is not None, "a packet of a sequence that was not begun")
        sequence.take(packet)
        if packet.HasField("clock_snapshot"):
            self.take_clocks(sequence, packet.clock_snapshot)
        if packet.HasField("track_descriptor"):
            self.take_track(packet.track_descriptor)
        if packet.HasField("track_event"):
            demand(packet.sequence_flags & NEEDS, "an event that does not say what it needs")
            self.take_event(sequence, packet)

    def take_clocks(self, sequence, snapshot):
        demand(snapshot.primary_trace_clock == MONOTONIC, "the primary clock is not the CPU's")
        at = {clock.clock_id: clock.timestamp for clock in snapshot.clocks}
        demand(at[MONOTONIC] > self.snapshot_ns, "snapshots go back in time")
        self.snapshot_ns = at[MONOTONIC]
        for clock, timestamp in at.items():
            demand(timestamp < 1 << 63, "a clock is negative")
            if clock != MONOTONIC:
                demand(64 <= clock <= 127 and clock not in sequence.clocks, "a clock is reused")
                sequence.clocks[clock] = at[MONOTONIC] - timestamp

    def take_track(self, track):
        demand(track.uuid not in self.tracks, "a track is described twice")
        if track.HasField("process"):
            demand(track.process.pid > 0 and track.process.process_name.startswith("passtime"),
                   "the process has no name or number")
        else:
            demand(track.parent_uuid in self.tracks, "a track's parent is not known")
            demand(track.name != "", "a track has no name")
        self.tracks[track.uuid] = track

    def time_of(self, sequence, packet):
        clock = packet.timestamp_clock_id or sequence.clock
        demand(packet.timestamp < 1 << 63, "a time is negative")
        if clock == MONOTONIC:
            return packet.timestamp
        demand(clock in sequence.clocks, f"clock {clock} is not tied to the CPU's")
        at = packet.timestamp + sequence.clocks[clock]
        demand(at >= 0, "a time is negative on the CPU's clock")
        return at

    def take_event(self, sequence, packet):
        event = packet.track_event
        uuid = event.track_uuid or sequence.track
        demand(uuid in self.tracks, "an event on a track that is not described")
        at = self.time_of(sequence, packet)
        lane = (self.tracks[uuid].name, uuid)
        if event.type in (BEGIN, END):
            demand(at >= self.last.get(uuid, 0), f"track {lane[0]} goes back in time")
            self.last[uuid] = at
        if event.type == COUNTER:
            demand(self.tracks[uuid].HasField("counter"), "a counter on a track that is none")
            self.counters.append((lane, at, event.counter_value))
            return
        stack = self.stacks.setdefault(uuid, [])
        if event.type == END:
            demand(stack, "an end without a begin")
            begun, name, notes = stack.pop()
            demand(not stack or stack[-1][0] <= begun, "slices do not nest")
            self.slices.append((lane, begun, at, name, notes))
            return
        name = event.name or sequence.names.get(event.name_iid, "")
        demand(name != "", "an event without a name")
        demand(all(c >= " " and c != "\x7f" for c in name), f"control characters in {name!r}")
        demand(len(name.encode()) < 96, "a name that is too long")
        notes = {}
        for note in event.debug_annotations:
            key, value = self.note(sequence, note)
            demand(key not in notes, f"{key} is said twice")
            notes[key] = value
        if event.type == BEGIN:
            stack.append((at, name, notes))
        else:
            demand(event.type == INSTANT, f"an event of type {event.type}")
            self.take_instant(lane, at, name, notes)
        if "fate" in notes:
            self.frames.append(notes)

    def take_instant(self, lane, at, name, notes):
        if name == "passtime.summary":
            self.summaries.append(notes)
        elif name == "passtime.series":
            self.series.append(notes)
        else:
            self.instants.append((lane, at, name, notes))

    def note(self, sequence, note):
        key = note.name or sequence.keys.get(note.name_iid, "")
        demand(key != "", "an annotation without a name")
        kind = note.WhichOneof("value")
        if kind is None:
            entries = [self.note(sequence, entry) for entry in note.dict_entries]
            demand(len({k for k, _ in entries}) == len(entries), f"{key} says something twice")
            return key, dict(entries)
        if kind == "string_value_iid":
            demand(note.string_value_iid in sequence.values, f"{key} has an unknown value")
            return key, sequence.values[note.string_value_iid]
        return key, getattr(note, kind)


def passes(capture):
    return [s for s in capture.slices if "verdict" in s[4]]


def read(path):
    data = pathlib.Path(path).read_bytes()
    whole = whole_part(data)
    try:
        return Capture(whole, path), len(data) - len(whole)
    except Fault as fault:
        raise Fault(f"{path}: {fault}") from None


def check_capture(path, cut=False):
    """What holds for every capture."""
    capture, rest = read(path)
    demand(cut or rest == 0, f"{path}: {rest} bytes behind the last packet")
    demand(cut or getattr(capture, "open_at_end", 0) == 0, f"{path}: slices without an end")
    names = {track.name for track in capture.tracks.values()}
    demand("passtime" in names and "GPU busy" in names, f"{path}: tracks are missing")
    for lane, begin, end, name, notes in passes(capture):
        demand(end >= begin, f"{path}: {name} ends before it begins")
        demand(notes["verdict"] in ("good", "below resolution"), f"{path}: a slice is not good")
        demand({"source", "frame"} <= notes.keys(), f"{path}: {name} lacks annotations")
        demand(("GPU" in lane[0]) == ("gpu" in notes["source"].lower()),
               f"{path}: {name} by {notes['source']} is on {lane[0]}")
        demand(notes["verdict"] != "below resolution" or begin == end, f"{path}: {name} has a length")
    for summary in capture.summaries:
        demand(summary["series_count"] == len(capture.series), f"{path}: series are missing")
    return capture


def check_rich(capture):
    tracks = {t.name for t in capture.tracks.values()}
    demand({"frames", "CPU submit", "scopes", "GPU queue 0", "GPU queue 1", "budget",
            "GPU queue 0: rejected or without position"} <= tracks, f"tracks are {tracks}")
    demand([n["frame"] for n in capture.frames] == list(range(50)), "frames are missing")
    by_name = {}
    for lane, begin, end, name, notes in passes(capture):
        by_name.setdefault(name, {})[notes["frame"]] = (lane, end - begin, notes, begin)
    # The very nanoseconds of tests/capture/frames.c.
    for i in range(50):
        demand(by_name["shadow"][i][1] == 2000001, "shadow's length")
        demand(by_name["light"][i][1] == 2999998 + i, "light's length")
        demand(by_name["bloom"][i][2]["attributed_ns"] == 1000000 - i, "bloom's attributed time")
        demand(by_name["tiny"][i][1] == 0, "tiny's length")
        demand(by_name["cascade"][i][0] == by_name["shadow"][i][0], "a nested pass's lane")
        demand(by_name["bloom"][i][0] != by_name["light"][i][0], "an overlapping pass's lane")
        demand(by_name["light"][i][2]["scope"] == "lighting", "light's scope")
        step = by_name["shadow"][i][3] - by_name["shadow"][0][3]
        demand(step == 16000000 * i, "positions are not kept to the nanosecond")
    lanes = {lane for lane, *_ in passes(capture) if lane[0] == "GPU queue 0"}
    demand(len(lanes) == 2, f"{len(lanes)} lanes for two passes at a time")
    rejected = [n for _, _, name, n in capture.instants if n.get("verdict") == "stale"]
    demand(len(rejected) == 6, "rejected samples are missing")
    elapsed = [n for _, _, name, n in capture.instants if name == "elapsed"]
    demand([n["duration_ns"] for n in elapsed] == [123457 + i for i in range(50)], "elapsed samples")
    late = [name for _, _, name, n in capture.instants if n.get("verdict") == "late submit"]
    demand(late and set(late) == {"späte Arbeit"}, f"late samples are {late}")
    busy = [v for lane, _, v in capture.counters if lane[0] == "GPU busy"]
    demand(len(busy) == 44 and set(busy) == {6999999}, "the busy counter counts complete frames")


def check_names(capture):
    names = {name for _, _, _, name, _ in passes(capture)}
    demand({'quote " backslash \\', "new line", "\ufffd", "\U0001f3a8 paint", "(unnamed)",
            "ordinary"} <= names, f"names are {sorted(names)[:12]}")
    demand("x" * 95 in names, "a long name is cut at 95 bytes")
    demand({f"label {i}" for i in range(1200)} <= names, "names that never repeat are missing")


def check_clocks(capture):
    clocks = [n for _, _, name, n in capture.instants if name == "passtime.clock"]
    demand(len(clocks) > 64, f"only {len(clocks)} clocks")
    demand(len(capture.sequences) > 1, "clocks beyond 127 must go to another sequence")
    demand(len(passes(capture)) == 12 + 194, "passes are missing")


def check_summary(capture):
    demand(len(capture.summaries) == 1 and len(capture.series) == 3, "the summary is missing")
    summary = capture.summaries[0]
    demand(summary["ledger"]["verdicts"] == {"good": 240}, "the ledger's verdicts")
    demand(summary["totals"]["busy_ns"]["count"] == 120, "the frames' busy")
    paths = [n["series"]["path"] for n in capture.series]
    demand(paths == ["scene", "scene/shadow", "scene/light"], f"paths are {paths}")
    shadow = capture.series[1]["series"]["stats"]
    lengths = [end - begin for _, begin, end, name, _ in passes(capture) if name == "shadow"]
    demand(shadow["count"] == 120 and shadow["total_ns"] == sum(lengths), "sums differ")
    demand(abs(shadow["mean_ns"] - sum(lengths) / 120) < 1e-6, "means differ")


def check_few(capture):
    demand(0 < len(capture.frames) < 10, "max_events bounds the events")


def check_reader(reader, capture, whole_frames):
    """Our own reader finds the same frames and as many good passes."""
    said = subprocess.run([reader, capture.path], check=True, capture_output=True, text=True).stdout
    found = dict(part.split("=") for part in said.split()[1:])
    good = sum(1 for s in passes(capture) if s[4]["frame"] in whole_frames)
    good += sum(1 for i in capture.instants
                if i[3].get("verdict") in ("good", "below resolution") and i[3]["frame"] in whole_frames)
    demand(int(found["frames"]) == len(whole_frames), f"our reader found {said}")
    demand(said.startswith("summary") == bool(capture.summaries), f"our reader read {said}")
    demand(capture.summaries or int(found["good"]) == good, f"{good} good passes, not {said}")
    demand(int(found["bytes"]) == os.path.getsize(capture.path), f"our reader saw {said}")


def check_killed(writer, reader, path):
    """A run killed in its midst loses what it was writing, and nothing before that."""
    process = subprocess.Popen([writer, "endless", path], stdout=subprocess.PIPE)
    said = 0
    while said < 200:
        said = int(process.stdout.readline())
    process.send_signal(signal.SIGKILL)
    rest = process.stdout.read().split(b"\n")
    process.wait()
    said = max([said] + [int(line) for line in rest[:-1] if line])
    capture = check_capture(path, cut=True)
    complete = {}
    for note in [s[4] for s in passes(capture)] + [i[3] for i in capture.instants]:
        if "verdict" in note:
            complete[note["frame"]] = complete.get(note["frame"], 0) + 1
    whole = [n for n in capture.frames if complete.get(n["frame"], 0) == n["samples"]]
    demand(len(whole) >= said, f"{said} frames were written, {len(whole)} are whole")
    demand(len(capture.frames) - len(whole) <= 1, "more than the last frame is cut off")
    check_reader(reader, capture, {n["frame"] for n in whole})


CHECKS = {"rich": check_rich, "names": check_names, "clocks": check_clocks, "few": check_few,
          "summary": check_summary, "empty": lambda capture: None}


def check_given(reader, captures):
    for path in captures:
        capture = check_capture(path)
        check_reader(reader, capture, {n["frame"] for n in capture.frames})
        print(f"{path}: {len(capture.frames)} frames, {len(passes(capture))} slices")
    return 0


def main():
    if sys.argv[3] == "--only":
        return check_given(sys.argv[2], sys.argv[4:])
    writer, reader, proto, protoc, *captures = sys.argv[1:]
    fields = check_schema(pathlib.Path(proto), protoc)
    print(f"schema: {fields} fields are Perfetto's")
    with tempfile.TemporaryDirectory() as folder:
        for mode, check in CHECKS.items():
            path = os.path.join(folder, mode + ".perfetto-trace")
            subprocess.run([writer, mode, path], check=True)
            capture = check_capture(path)
            try:
                check(capture)
                check_reader(reader, capture, {n["frame"] for n in capture.frames})
            except Fault as fault:
                raise Fault(f"{mode}: {fault}") from None
            print(f"{mode}: {len(capture.frames)} frames, {len(passes(capture))} slices, "
                  f"{os.path.getsize(path)} bytes")
        check_killed(writer, reader, os.path.join(folder, "killed.perfetto-trace"))
        print("killed: whole up to the last frame")
    return check_given(reader, captures)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Fault as fault:
        print(f"check_perfetto: {fault}", file=sys.stderr)
        sys.exit(1)
