// SPDX-License-Identifier: MIT
/**
 * The frames of a capture that runs, as the core gave them: copied, neither read nor changed. The newest
 * are kept, as many as the limits allow; events that fall out are counted. What a record is, wasm/capture/writer.h says.
 */
import * as AT from 'passtime:layout';

const BLOCK_BYTES = 1 << 18;
const HEAD_BYTES = 16; // before a record: its bytes with this head, its events, when its frame began
const NAME_BYTES = 96; // most that a name of the core takes
const NS_PER_S = 1e9;

/** Memory for records, one behind the other; the oldest are at `head`. */
class Block {
  constructor(bytes) {
    const buffer = new ArrayBuffer(bytes);
    this.u8 = new Uint8Array(buffer);
    this.u32 = new Uint32Array(buffer);
    this.f64 = new Float64Array(buffer);
    this.head = 0;
    this.used = 0;
  }
}

export class FrameStore {
  /** @param {object} core whose memory frames stand in @param {number} seconds kept @param {number} bytes kept at most */
  constructor(core, seconds, bytes) {
    this.core = core;
    this.keepNs = seconds * NS_PER_S;
    this.limit = bytes;
    this.blocks = [];
    this.spare = null;
    this.taken = 0; // bytes of blocks
    this.bytes = 0; // of records
    this.frames = 0;
    this.events = 0;
    this.framesLost = 0;
    this.eventsLost = 0;
    this.newestNs = 0;
    this.largestBytes = 0;
    this.largestEvents = 0;
  }

  /** From the oldest frame's begin to the newest one's. */
  get seconds() {
    if (this.frames === 0) return 0;
    const [block] = this.blocks;
    return Math.max(0, this.newestNs - block.f64[(block.head >> 3) + 1]) / NS_PER_S;
  }

  /** @param {import('./figures.js').Frame} frame that the core holds now */
  take(frame) {
    const { sampleCount, scopeCount } = frame;
    const events = 1 + sampleCount + scopeCount;
    const most = HEAD_BYTES + AT.frame_size + scopeCount * AT.scope_size + sampleCount * AT.sample_size + (events - 1) * NAME_BYTES + 8;
    const block = this.roomFor(most);
    if (block === null) {
      this.lose(events);
      return;
    }
    const size = this.write(block, frame);
    const at = block.used;
    block.u32[at >> 2] = size;
    block.u32[(at >> 2) + 1] = events;
    block.f64[(at >> 3) + 1] = frame.cpuBeginNs;
    block.used += size;
    this.bytes += size;
    this.frames++;
    this.events += events;
    this.largestBytes = Math.max(this.largestBytes, size - HEAD_BYTES);
    this.largestEvents = Math.max(this.largestEvents, events);
    this.newestNs = Math.max(this.newestNs, frame.cpuBeginNs);
    while (this.seconds * NS_PER_S > this.keepNs) this.drop();
  }

  /** Copies a frame behind what the block holds. @returns {number} bytes with the head, a multiple of 8 */
  write(block, frame) {
    const { core } = this;
    const { u8, u32 } = block;
    const first = block.used + HEAD_BYTES;
    const scopesAt = AT.frame_size;
    const samplesAt = scopesAt + frame.scopeCount * AT.scope_size;
    let end = samplesAt + frame.sampleCount * AT.sample_size;
    u8.set(core.u8.subarray(frame.at, frame.at + AT.frame_size), first);
    u8.set(core.u8.subarray(frame.scopesAt, frame.scopesAt + frame.scopeCount * AT.scope_size), first + scopesAt);
    u8.set(core.u8.subarray(frame.samplesAt, frame.samplesAt + frame.sampleCount * AT.sample_size), first + samplesAt);
    u32[(first + AT.frame_scopes) >> 2] = scopesAt;
    u32[(first + AT.frame_samples) >> 2] = samplesAt;
    for (let i = 0; i < frame.scopeCount; i++) end = this.name(block, first, scopesAt + i * AT.scope_size + AT.scope_name, end);
    for (let i = 0; i < frame.sampleCount; i++) end = this.name(block, first, samplesAt + i * AT.sample_size + AT.sample_name, end);
    return (HEAD_BYTES + end + 7) & ~7;
  }

  /** Copies the name that the record's pointer at `field` leads to in the core, to `end`. @returns {number} the new end */
  name({ u8, u32 }, first, field, end) {
    const from = this.core.u8;
    let at = u32[(first + field) >> 2];
    u32[(first + field) >> 2] = end;
    let to = first + end;
    for (let left = NAME_BYTES; --left > 0 && from[at] !== 0; ) u8[to++] = from[at++];
    u8[to++] = 0;
    return to - first;
  }

  // Memory ------------------------------------------------------------------------------------

  /** The block that the next record goes into; null: it is larger than all that may be kept. */
  roomFor(bytes) {
    const last = this.blocks[this.blocks.length - 1];
    if (last !== undefined && last.used + bytes <= last.u8.length) return last;
    const size = Math.max(BLOCK_BYTES, (bytes + 7) & ~7);
    if (size > this.limit) return null;
    while (this.taken + size > this.limit) this.dropBlock();
    const block = this.spare !== null && this.spare.u8.length === size ? this.spare : new Block(size);
    this.spare = null;
    block.head = block.used = 0;
    this.blocks.push(block);
    this.taken += size;
    return block;
  }

  lose(events) {
    this.framesLost++;
    this.eventsLost += events;
  }

  /** Lets the oldest frame go. */
  drop() {
    const [block] = this.blocks;
    const size = block.u32[block.head >> 2];
    const events = block.u32[(block.head >> 2) + 1];
    this.lose(events);
    this.frames--;
    this.events -= events;
    this.bytes -= size;
    block.head += size;
    if (block.head === block.used) this.release();
  }

  dropBlock() {
    const [block] = this.blocks;
    while (this.blocks[0] === block) this.drop();
  }

  release() {
    this.spare = this.blocks.shift();
    this.taken -= this.spare.u8.length;
  }

  /** Takes the records out, the oldest first; their memory is used no more. @returns {Generator<Uint8Array>} */
  *records() {
    for (const { u8, u32, head, used } of this.blocks) {
      for (let at = head; at < used; at += u32[at >> 2]) yield u8.subarray(at + HEAD_BYTES, at + u32[at >> 2]);
    }
  }
}
