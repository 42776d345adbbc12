// SPDX-License-Identifier: MIT
/** `import 'passtime/overlay'` defines <passtime-overlay>, which finds the timers of its page by itself. */

/** What the overlay shows: a timer, or figures that were saved from one. */
export interface OverlaySource {
  /** Stands on its tab where there are several. */
  readonly name?: string;
  /** The document "passtime.report/1", or a function that gives it. */
  readonly report: object | (() => object);
  /** Frames as `Frame.copy()` gives them, oldest first; for saved figures. */
  readonly frames?: readonly object[];
  readonly status?: { readonly state: string; readonly text: string };
  on?(event: 'frame', listener: (frame: any) => void): unknown;
  off?(event: 'frame', listener: (frame: any) => void): unknown;
  enable?(on?: boolean): unknown;
  every?(frames: number): unknown;
  budget?(ms: number): unknown;
  reset?(): unknown;
}

/**
 * Attributes: `open`; `key`, the key that opens and closes (a `KeyboardEvent.code` or `.key`, "Backquote");
 * `budget`, milliseconds of GPU time that a frame may take (14; a budget that the app set on its timer stays
 * unless this is given); `frame`, milliseconds of a frame (16.7); `theme`, "light" or "dark" (else the
 * reader's); `place`, "left" (else right).
 */
export class PasstimeOverlay extends HTMLElement {
  readonly isOpen: boolean;
  open(): void;
  close(): void;
  toggle(): void;
  /** Shows a source beside the timers of the page. */
  add(source: OverlaySource): this;
  /** Takes back what `add` gave. */
  drop(source: OverlaySource): this;
  readonly budgetMs: number;
  readonly frameMs: number;
  /** Milliseconds that the open panel's own work takes: to take one frame, an update, and both a frame. */
  readonly costs: { readonly takeMs: number; readonly updateMs: number; readonly frameMs: number } | null;
  /** `costs.frameMs`; null: not known yet. */
  readonly cost: number | null;
  /** Where the panel shows one frame's passes: its number. */
  readonly chosen: number | null;
  /** The report of all sources, as JSON text. */
  reportText(): string;
}

export interface OverlayAttributes {
  open?: boolean;
  key?: string;
  budget?: number;
  frame?: number;
  theme?: 'light' | 'dark' | 'auto';
  place?: 'left' | 'right';
}

/** Puts an overlay into the page, once; a further call changes its attributes. */
export function mountOverlay(attributes?: OverlayAttributes): PasstimeOverlay;

declare global {
  interface HTMLElementTagNameMap {
    'passtime-overlay': PasstimeOverlay;
  }
}
