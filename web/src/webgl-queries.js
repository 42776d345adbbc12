// SPDX-License-Identifier: MIT
/**
 * Elapsed queries of one WebGL context, versions 1 and 2 behind one face. Nothing here asks for GL
 * errors, nor makes one.
 */
import { contextNatives, extensionNatives, GL, TIMER_EXTENSION } from './webgl-natives.js';

/** What both versions share. */
class Queries {
  constructor(gl, extension) {
    this.gl = gl;
    this.extension = extension;
    this.natives = contextNatives(gl);
  }

  isContextLost() {
    return this.natives.isContextLost.call(this.gl);
  }

  /** Reading GPU_DISJOINT clears it. @returns {boolean} */
  disjoint() {
    return this.natives.getParameter.call(this.gl, GL.gpuDisjoint) === true;
  }
}

class Queries2 extends Queries {
  get version() {
    return 2;
  }

  create() {
    return this.natives.createQuery.call(this.gl);
  }

  remove(query) {
    this.natives.deleteQuery.call(this.gl, query);
  }

  begin(query) {
    this.natives.beginQuery.call(this.gl, GL.timeElapsed, query);
  }

  end() {
    this.natives.endQuery.call(this.gl, GL.timeElapsed);
  }

  /** The active elapsed query, whoever's; null: none. */
  current() {
    return this.natives.getQuery.call(this.gl, GL.timeElapsed, GL.currentQuery);
  }

  bits(target) {
    return this.natives.getQuery.call(this.gl, target, GL.counterBits) || 0;
  }

  isReady(query) {
    return this.natives.getQueryParameter.call(this.gl, query, GL.queryAvailable) === true;
  }

  /** Nanoseconds, of a query that is ready. */
  result(query) {
    return this.natives.getQueryParameter.call(this.gl, query, GL.queryResult);
  }
}

class Queries1 extends Queries {
  constructor(gl, extension) {
    super(gl, extension);
    this.ext = extensionNatives(extension);
  }

  get version() {
    return 1;
  }

  create() {
    return this.ext.createQueryEXT.call(this.extension);
  }

  remove(query) {
    this.ext.deleteQueryEXT.call(this.extension, query);
  }

  begin(query) {
    this.ext.beginQueryEXT.call(this.extension, GL.timeElapsed, query);
  }

  end() {
    this.ext.endQueryEXT.call(this.extension, GL.timeElapsed);
  }

  current() {
    return this.ext.getQueryEXT.call(this.extension, GL.timeElapsed, GL.currentQuery);
  }

  bits(target) {
    return this.ext.getQueryEXT.call(this.extension, target, GL.counterBits) || 0;
  }

  isReady(query) {
    return this.ext.getQueryObjectEXT.call(this.extension, query, GL.queryAvailable) === true;
  }

  result(query) {
    return this.ext.getQueryObjectEXT.call(this.extension, query, GL.queryResult);
  }
}

/** 1 or 2, from what the context can do: classes of other realms have other constructors. */
export function versionOf(gl) {
  return typeof contextNatives(gl).createQuery === 'function' ? 2 : 1;
}

/**
 * The context's elapsed queries. TIMESTAMP is not looked at: browsers give it no bits, and what
 * queryCounterEXT returns then has no meaning that one could rely on.
 * @returns {{queries: Queries | null, reason: string}} null: there are none, for that reason
 */
export function openQueries(gl) {
  const version = versionOf(gl);
  const name = TIMER_EXTENSION[version];
  const extension = contextNatives(gl).getExtension.call(gl, name);
  if (!extension) return { queries: null, reason: `The context has no ${name}.` };
  const queries = version === 2 ? new Queries2(gl, extension) : new Queries1(gl, extension);
  if (queries.bits(GL.timeElapsed) === 0) {
    return { queries: null, reason: 'The context\'s elapsed counter has no bits.' };
  }
  return { queries, reason: '' };
}
