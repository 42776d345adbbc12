// SPDX-License-Identifier: MIT
/** A few short ways to make and change elements. What does not change is not written. */

/**
 * @param {string} tag
 * @param {Record<string, unknown>} [attributes] names that begin with "on" are listeners
 * @param {...(Node | string)} children
 */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, '');
    else if (value !== false && value !== null) element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

/** Sets a text where it differs. */
export function say(element, text) {
  if (element.passtimeText === text) return;
  element.passtimeText = text;
  element.textContent = text;
}

/** Sets or removes an attribute where it differs. */
export function mark(element, name, value) {
  if (value === null || value === false) {
    if (element.hasAttribute(name)) element.removeAttribute(name);
  } else if (element.getAttribute(name) !== String(value)) {
    element.setAttribute(name, String(value));
  }
}

/** Sets a CSS property where it differs. */
export function style(element, name, value) {
  const key = `passtime${name}`;
  if (element[key] === value) return;
  element[key] = value;
  element.style.setProperty(name, value);
}
