// SPDX-License-Identifier: MIT
/** Where the map is looked at: drag, wheel, pinch, keys, or a tour. The view of zoom 1 is -1 to 1. */

const ZOOM_MIN = 0.5;
const ZOOM_MAX = 64;
const TOUR_SECONDS = 24;

export class Camera {
  /** @param {HTMLCanvasElement} canvas @param {() => void} onTouch when the user takes over */
  constructor(canvas, onTouch) {
    Object.assign(this, { canvas, onTouch, x: 0, y: 0, zoom: 1 });
    this.pointers = new Map();
    canvas.addEventListener('pointerdown', (event) => this.down(event));
    canvas.addEventListener('pointermove', (event) => this.move(event));
    for (const type of ['pointerup', 'pointercancel']) canvas.addEventListener(type, (event) => this.pointers.delete(event.pointerId));
    canvas.addEventListener('wheel', (event) => this.wheel(event), { passive: false });
    canvas.addEventListener('keydown', (event) => this.key(event));
  }

  /** A place in the canvas, -1 to 1. */
  place(event) {
    const box = this.canvas.getBoundingClientRect();
    return [((event.clientX - box.left) / box.width) * 2 - 1, 1 - ((event.clientY - box.top) / box.height) * 2];
  }

  down(event) {
    this.onTouch();
    this.canvas.setPointerCapture(event.pointerId);
    this.pointers.set(event.pointerId, this.place(event));
  }

  move(event) {
    const before = this.pointers.get(event.pointerId);
    if (!before) return;
    const now = this.place(event);
    this.pointers.set(event.pointerId, now);
    const others = [...this.pointers].filter(([id]) => id !== event.pointerId).map(([, place]) => place);
    if (others.length === 0) this.pan(before[0] - now[0], before[1] - now[1]);
    else this.zoomAt(apart(now, others[0]) / Math.max(apart(before, others[0]), 0.01), (now[0] + others[0][0]) / 2, (now[1] + others[0][1]) / 2);
  }

  wheel(event) {
    event.preventDefault();
    this.onTouch();
    this.zoomAt(2 ** (-event.deltaY / 400), ...this.place(event));
  }

  key(event) {
    const moves = { ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, 0.1], ArrowDown: [0, -0.1] };
    const zooms = { '+': 1.2, '=': 1.2, '-': 1 / 1.2 };
    if (!moves[event.key] && !zooms[event.key]) return;
    event.preventDefault();
    this.onTouch();
    if (moves[event.key]) this.pan(...moves[event.key]);
    else this.zoomAt(zooms[event.key], 0, 0);
  }

  pan(right, up) {
    this.x = clamp(this.x + right / this.zoom, -2, 2);
    this.y = clamp(this.y + up / this.zoom, -2, 2);
  }

  /** What lies under the place stays there. */
  zoomAt(factor, right, up) {
    const zoom = clamp(this.zoom * factor, ZOOM_MIN, ZOOM_MAX);
    const kept = 1 / this.zoom - 1 / zoom;
    this.x = clamp(this.x + right * kept, -2, 2);
    this.y = clamp(this.y + up * kept, -2, 2);
    this.zoom = zoom;
  }

  whole() {
    Object.assign(this, { x: 0, y: 0, zoom: 1 });
  }

  /** The flight of `passtime demo map`: from above all of the city down to its streets, and back. */
  tour(seconds) {
    const turn = (2 * Math.PI * (seconds % TOUR_SECONDS)) / TOUR_SECONDS;
    const depth = 0.5 - 0.5 * Math.cos(turn);
    this.zoom = 2 ** (2.2 * depth);
    this.x = 0.1 * depth + 0.16 * Math.sin(turn) * depth;
    this.y = 0.02 * depth + 0.12 * Math.sin(2 * turn) * depth;
  }
}

const apart = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1]);
const clamp = (value, low, high) => Math.min(high, Math.max(low, value));
