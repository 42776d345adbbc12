// SPDX-License-Identifier: MIT
/** Puts a function in the place of a method, so that a page sees no difference in name or length. */
import { status } from './status.js';

const apply = Reflect.apply;
const defineProperty = Object.defineProperty;
const describe = Object.getOwnPropertyDescriptor;

/** Where in the prototype chain `name` lives. */
function holderOf(prototype, name) {
  for (let at = prototype; at; at = Object.getPrototypeOf(at)) {
    if (describe(at, name)) return at;
  }
  return null;
}

/** @type {WeakMap<object, Set<string>>} what is wrapped already, by prototype and kind */
const wrapped = new WeakMap();

/**
 * Wraps a method once for each `kind`.
 * @param {object} prototype
 * @param {string} name
 * @param {string} kind whose wrapper it is: one method may have several
 * @param {(native: Function) => Function} make gives the wrapper
 */
export function wrap(prototype, name, kind, make) {
  const holder = holderOf(prototype, name);
  const before = holder && describe(holder, name);
  if (!before || typeof before.value !== 'function' || !before.configurable) return;
  let kinds = wrapped.get(holder);
  if (!kinds) wrapped.set(holder, (kinds = new Set()));
  const key = `${kind} ${name}`;
  if (kinds.has(key)) return;
  kinds.add(key);
  const value = make(before.value);
  defineProperty(value, 'name', { value: before.value.name, configurable: true });
  defineProperty(value, 'length', { value: before.value.length, configurable: true });
  defineProperty(holder, name, { ...before, value });
}

/** Keeps a fault of ours; the page's call goes on. */
export function fault(error) {
  status.fail(error);
}

/**
 * A wrapper that runs `before` ahead of the native call; it may throw, and the page does not feel it.
 * `before` takes the object and the call's arguments.
 */
export function preceded(native, before) {
  return {
    f() {
      try {
        before(this, arguments);
      } catch (error) {
        fault(error);
      }
      return apply(native, this, arguments);
    },
  }.f;
}

/** The same, after it; `after` also takes what the call returned. */
export function followed(native, after) {
  return {
    f() {
      const result = apply(native, this, arguments);
      try {
        after(this, arguments, result);
      } catch (error) {
        fault(error);
      }
      return result;
    },
  }.f;
}

/** A wrapper that calls `call(native, owner, args)` in the native's place. A method, so that it is no constructor either. */
export function replaced(native, call) {
  return {
    f() {
      return call(native, this, arguments);
    },
  }.f;
}

export { apply };
