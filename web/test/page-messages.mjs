// SPDX-License-Identifier: MIT
/**
 * Reads what the script of `passtime page` sends, as strictly as the protocol says: unknown keys, a number
 * that is no integer, a name that was not told and a frame out of order all throw.
 */
import assert from 'node:assert/strict';

const HELLO = { url: 'string', kind: /^(page|frame|worker|shared|service)$/, webgpu: /^(hooked|absent|own|late)$/, webgl: /^(hooked|absent|late)$/, text: 'string' };
const SKIPS = ['full', 'warmup', 'lost'];
const REFUSED = 0x80000000;
const isCount = (value) => Number.isSafeInteger(value) && value >= 0;

function keysOf(message, required, optional = []) {
  const keys = Object.keys(message).filter((key) => !optional.includes(key)).sort();
  assert.deepEqual(keys, [...required].sort(), JSON.stringify(message).slice(0, 300));
}

class ContextLog {
  constructor(message) {
    keysOf(message, ['k', 'c', 'api', 'source', 'bits', 'unverified', 'max_passes', 'adapter', 'name', 'reason']);
    assert.match(message.api, /^(webgpu|webgl2?)$/);
    assert.ok(message.source >= 0 && message.source <= 3 && message.bits > 0 && message.bits <= 64);
    assert.equal(typeof message.unverified, 'boolean');
    keysOf(message.adapter, ['name', 'driver', 'kind', 'software']);
    this.about = message;
    this.names = new Map();
    this.last = 0; // number of the frame or skip told last
    this.frames = [];
    this.skips = [];
    this.events = []; // lost, restored, gone
  }

  number(n) {
    assert.ok(isCount(n) && n > this.last, `frame ${n} after ${this.last}`);
    this.last = n;
  }

  name({ i, s }) {
    assert.ok(isCount(i) && !this.names.has(i), `name ${i} told again`);
    this.names.set(i, s);
  }

  skip(message) {
    keysOf(message, ['k', 'c', 'n', 'why']);
    this.number(message.n);
    assert.ok(SKIPS.includes(message.why), message.why);
    this.skips.push(message);
  }

  frame(message) {
    const isElapsed = this.about.source === 1;
    keysOf(message, ['k', 'c', 'n', 'b', 'e', 's', 'st', 'set', 'cb', 'ce', 'r', 'p', 't'], ['x', 'a']);
    this.number(message.n);
    const { b, e, s, st, r, p, t, x = 0, a } = message;
    for (const value of [b, e, s, message.set, message.cb, message.ce, x, ...t, ...(a ?? []), ...r.flat()]) assert.ok(isCount(value), `${value}`);
    assert.ok(st >= 0 && st <= 5);
    assert.ok(t.length % 4 === 0 && t.length <= 4 * p.length);
    assert.ok(t.every((word) => word <= 0xffffffff));
    assert.ok(st === 0 || t.length === 0);
    if (t.length > 0) assert.equal(a === undefined, !isElapsed);
    if (a !== undefined) assert.equal(2 * a.length, t.length);
    for (const [began, finished, how] of r) assert.ok(how <= 2 && (how === 2 ? finished === 0 : finished >= began));
    p.forEach(([recorder, name, pair, parent, open, close, flags], i) => {
      assert.ok(recorder < r.length && this.names.has(name) && pair === i && Number.isInteger(parent) && parent >= -1 && parent < i);
      assert.ok(isCount(open) && isCount(close) && isCount(flags) && (close === 0 || close >= open));
    });
    this.frames.push({
      ...message,
      passes: p.map(([recorder, name, pair, parent, open, close, flags]) => ({
        recorder, name: this.names.get(name), parent, open, close, isRefused: flags >= REFUSED, flags: flags % REFUSED,
        begin: t.length > 4 * pair ? BigInt(t[4 * pair]) + (BigInt(t[4 * pair + 1]) << 32n) : null,
        end: t.length > 4 * pair ? BigInt(t[4 * pair + 2]) + (BigInt(t[4 * pair + 3]) << 32n) : null,
        isThere: a === undefined ? null : a[2 * pair] === 1,
      })),
    });
  }
}

/** What one realm sent. */
export class RealmLog {
  constructor() {
    this.calls = 0;
    this.units = 0;
    this.longest = 0;
    this.hellos = [];
    this.notes = [];
    this.animationFrames = 0;
    this.contexts = [];
    this.keep = true; // frames, for tests that look at them
    /** The binding. */
    this.receive = (text) => {
      this.calls++;
      this.units += text.length;
      this.longest = Math.max(this.longest, text.length);
      const messages = JSON.parse(text);
      assert.ok(Array.isArray(messages) && messages.length > 0);
      for (const message of messages) this.take(message);
    };
  }

  get hello() {
    return this.hellos.at(-1);
  }

  take(message) {
    const { k } = message;
    if (k === 'hello') return this.takeHello(message);
    assert.ok(this.hellos.length > 0, `${k} before hello`);
    if (k === 'tick') {
      keysOf(message, ['k', 'f']);
      assert.ok(isCount(message.f) && message.f > 0);
      this.animationFrames += message.f;
      return undefined;
    }
    if (k === 'note') {
      keysOf(message, ['k', 'text']);
      return this.notes.push(message.text);
    }
    if (k === 'ctx') {
      assert.equal(message.c, this.contexts.length + 1);
      return this.contexts.push(new ContextLog(message));
    }
    const context = this.contexts[message.c - 1];
    assert.ok(context, `${k} of an unknown context`);
    if (k === 'name') return context.name(message);
    if (k === 'skip') return context.skip(message);
    if (k === 'frame') {
      context.frame(message);
      if (!this.keep) context.frames.splice(0, context.frames.length - 4);
      return undefined;
    }
    assert.ok(['lost', 'restored', 'gone'].includes(k), `a message of kind ${k}`);
    return context.events.push(k);
  }

  takeHello(message) {
    keysOf(message, ['k', 'v', 'origin_ms', ...Object.keys(HELLO)]);
    assert.equal(message.v, 1);
    assert.equal(typeof message.origin_ms, 'number');
    for (const [key, wanted] of Object.entries(HELLO)) {
      if (typeof wanted === 'string') assert.equal(typeof message[key], wanted);
      else assert.match(message[key], wanted);
    }
    this.hellos.push(message);
  }
}
