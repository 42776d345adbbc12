// SPDX-License-Identifier: MIT
/** GPU pass timing that one can trust, for WebGPU and WebGL. Times are nanoseconds; null is "not known". */

export interface AttachOptions {
  /** Passes a frame; 1,024 by default. */
  maxPasses?: number;
  maxScopes?: number;
  /** Frames whose results may be under way at once; 8 by default. */
  framesInFlight?: number;
  /** A frame's results are given up after so long; 10 s by default. */
  timeoutMs?: number;
  /** Names the context in reports. */
  name?: string;
  /** Milliseconds of GPU time that a frame may take. */
  budgetMs?: number;
  /** Times one frame in so many, at random places. */
  every?: number;
  /** "auto": frames end at animation frames, or after a burst of passes; else call `frame()`. */
  frames?: 'auto' | 'manual';
  /** WebGPU: CPU times, even where the device has timestamps. */
  cpuOnly?: boolean;
}

export type Verdict =
  | 'good' | 'below resolution' | 'device lost' | 'map failed' | 'timed out' | 'disjoint' | 'late submit'
  | 'not submitted' | 'discarded' | 'not executed' | 'half written' | 'stale' | 'backward or reset'
  | 'ambiguous' | 'above ceiling' | 'unit unknown' | 'no slot' | 'unfinished' | 'refused';
export type Source = 'gpu stamps' | 'gpu elapsed' | 'cpu record' | 'cpu complete';

/** One pass of one frame, judged. Times are null unless `good`. */
export interface Sample {
  readonly name: string;
  readonly series: number | null;
  readonly parent: number | null;
  readonly scope: number | null;
  readonly verdict: Verdict;
  readonly good: boolean;
  readonly source: Source;
  readonly flags: number;
  readonly beginNs: number | null;
  readonly endNs: number | null;
  readonly durationNs: number | null;
  readonly exclusiveNs: number | null;
  readonly attributedNs: number | null;
}

export interface ScopeSample {
  readonly name: string;
  readonly series: number | null;
  readonly parent: number | null;
  readonly complete: boolean;
  readonly busyNs: number;
}

/** A frame that may be kept. */
export interface FrameCopy {
  readonly number: number;
  readonly fate: string;
  readonly flags: number;
  readonly passesWithoutSlot: number;
  readonly overBudget: boolean;
  readonly busyNs: number;
  readonly spanNs: number | null;
  readonly sumNs: number;
  readonly cpuBeginNs: number;
  readonly cpuSubmitNs: number;
  readonly seenNs: number;
  readonly framesLate: number;
  readonly samples: readonly Sample[];
  readonly scopes: readonly ScopeSample[];
}

/** A judged frame as a listener gets it: the object is used again, `copy()` gives one to keep. */
export interface Frame {
  readonly number: number;
  readonly fate: number;
  readonly fateName: string;
  readonly flags: number;
  readonly sampleCount: number;
  readonly scopeCount: number;
  readonly passesWithoutSlot: number;
  readonly overBudget: boolean;
  readonly hasSpan: boolean;
  readonly busyNs: number;
  readonly spanNs: number;
  readonly sumNs: number;
  readonly cpuBeginNs: number;
  readonly cpuSubmitNs: number;
  readonly seenNs: number;
  readonly framesLate: number;
  readonly samples: readonly Sample[];
  readonly scopes: readonly ScopeSample[];
  copy(): FrameCopy;
}

export type FrameListener = (frame: Frame) => void;

export interface Stats {
  readonly count: number;
  readonly rejected: number;
  readonly meanNs: number | null;
  readonly seNs: number | null;
  readonly nEff: number | null;
  readonly ciLowNs: number | null;
  readonly ciHighNs: number | null;
  /** No sample ticked: the mean lies below this. */
  readonly belowNs: number | null;
  readonly minNs: number | null;
  readonly maxNs: number | null;
  readonly p50Ns: number | null;
  readonly p95Ns: number | null;
  readonly p99Ns: number | null;
  readonly totalNs: number | null;
  readonly lastNs: number | null;
  readonly lastFrame: number | null;
  readonly quantumNs: number | null;
  readonly framesFor10Percent: number | null;
  readonly biased: boolean;
  readonly quantized: boolean;
  readonly lockedPhase: boolean;
  readonly windowed: boolean;
}

export interface Series {
  readonly index: number;
  readonly kind: 'pass' | 'scope';
  readonly parent: number | null;
  readonly source: Source;
  readonly queue: number;
  readonly flags: number;
  readonly name: string;
  readonly path: string;
  readonly attributedNs: number;
  /** Of all attributed time, 0 to 1. */
  readonly share: number | null;
  readonly belowResolution: number;
  readonly rejected: Readonly<Record<string, number>>;
  readonly stats: Stats;
}

export interface Ledger {
  readonly framesInFlight: number;
  readonly framesSeen: number;
  /** By passtime_fate. */
  readonly fates: readonly number[];
  readonly passesRecorded: number;
  readonly passesInFlight: number;
  readonly verdicts: Readonly<Record<string, number>>;
  readonly framesOverBudget: number;
  readonly framesWithinBudget: number;
  /** Frames judged since this budget was set; the two above are of these. */
  readonly framesBudgeted: number;
  readonly framesNotTaken: number;
  readonly samplesInOther: number;
  readonly entriesQuarantined: number;
  readonly orphanEnds: number;
  readonly misuses: number;
  readonly skipRunMax: number;
}

export interface Clock {
  readonly source: Source;
  readonly validBits: number | null;
  readonly epoch: number;
  readonly tickNs: number | null;
  /** The step that stamps are rounded to. */
  readonly quantumNs: number | null;
  readonly alignOffsetNs: number;
  readonly alignBoundNs: number | null;
}

/** A context's figures. */
export interface Summary {
  readonly ledger: Ledger;
  readonly clock: Clock;
  /** False: CPU times stand in. */
  readonly gpu: boolean;
  readonly series: readonly Series[];
  readonly totals: Readonly<Record<'busy' | 'span' | 'sum' | 'cpuSubmit', Stats>>;
  readonly timed: number;
  readonly skipped: number;
  readonly overBudget: number | null;
  /** Frames judged since this budget was set. */
  readonly budgetFrames: number | null;
  readonly withinBudget: boolean | null;
  readonly boundBy: 'gpu' | 'cpu' | null;
}

export interface Note {
  readonly item: number;
  readonly count: number;
  readonly text: string;
}

/** The document "passtime.report/1", the same as the command line writes. */
export interface Report {
  readonly schema: 'passtime.report/1';
  readonly tool: { readonly name: string; readonly version: string };
  readonly contexts: readonly any[];
}

export interface CaptureOptions {
  /** How much of the newest is kept, by time; 60 by default, up to 86,400. */
  seconds?: number;
  /** How much of the newest is kept, by memory; 32 by default, up to 1,024. */
  megabytes?: number;
}

/** Frames kept for a Perfetto trace; it goes on until it is stopped. */
export interface Capture {
  readonly running: boolean;
  /** Frames kept. */
  readonly frames: number;
  /** Frames let go since it began, because the limits were reached. The file says how many events these were. */
  readonly framesLost: number;
  /** From the oldest frame kept to the newest. */
  readonly seconds: number;
  /** Memory that the frames kept take. */
  readonly bytes: number;
  /** Ends it and writes the file, which ui.perfetto.dev and `passtime report` open. Called again it gives the same. */
  stop(): Promise<Blob>;
  /** Ends it and keeps nothing. */
  cancel(): void;
}

interface AnyTimer {
  readonly method: string;
  readonly status: { readonly state: string; readonly text: string };
  /** Passes named while `work` runs belong to the scope; scopes nest. Returns what `work` returns. */
  scope<T>(name: string, work: () => T): T;
  beginScope(name: string): void;
  endScope(): void;
  /** Call once a frame, after its last submit or draw. */
  frame(): void;
  /** Takes what came back; for when no frames follow. */
  pulse(): void;
  report(): Report;
  stats(): Summary;
  notes(): Note[];
  on(event: 'frame', listener: FrameListener): this;
  off(event: 'frame', listener: FrameListener): this;
  enable(on?: boolean): this;
  every(frames: number): this;
  /** Milliseconds; 0: none. */
  budget(ms: number): this;
  /** Forgets all statistics. */
  reset(): this;
  /** Begins a capture; what writes it is loaded first. It rejects where that cannot be. */
  capture(options?: CaptureOptions): Promise<Capture>;
  destroy(): void;
}

/** For an encoder that is submitted in a later frame, or perhaps never. */
export interface Recorder {
  pass(name: string): GPURenderPassTimestampWrites | undefined;
  end(): void;
  scope<T>(name: string, work: () => T): T;
  submitted(): void;
  discarded(): void;
}

/** The timer of a WebGPU device. */
export interface Timer extends AnyTimer {
  readonly method: 'stamps' | 'cpu';
  /** What the next pass descriptor takes as `timestampWrites`; undefined: not timed, which it takes too. */
  pass(name: string): GPURenderPassTimestampWrites | undefined;
  /** Without stamps: ends the CPU time of the pass begun last. */
  end(): void;
  recorder(): Recorder;
  /** Times a group of draws or dispatches within a pass, where the device grants stamps inside passes. */
  beginInside(pass: GPURenderPassEncoder | GPUComputePassEncoder, name: string): void;
  endInside(pass: GPURenderPassEncoder | GPUComputePassEncoder): void;
}

/** The timer of a WebGL context. */
export interface WebGLTimer extends AnyTimer {
  begin(name: string): void;
  end(): void;
  pass<T>(name: string, work: () => T): T;
  /** GPU_DISJOINT_EXT as the page would have read it; reading clears it for the page, not for the timer. */
  disjoint(): boolean;
}

export interface Status {
  readonly state: 'off' | 'waiting' | 'attached' | 'late' | 'blocked';
  readonly text: string;
  readonly devicesSeen: number;
  readonly lateDevices: number;
  readonly errorCount: number;
  readonly errors: readonly string[];
}

export interface AutoOptions {
  /**
   * Consecutive passes of one encoder that are short for sure share one pair of stamps and are reported as one
   * number, "cull … scan (3 passes)". true: those below 6 µs; a number: below so many microseconds.
   */
  group?: boolean | number;
}

export declare function attach(device: GPUDevice, options?: AttachOptions): Promise<Timer>;
export declare function attachWebGL(
  gl: WebGLRenderingContext | WebGL2RenderingContext, options?: AttachOptions): WebGLTimer;

export declare const Passtime: {
  readonly version: string;
  readonly attach: typeof attach;
  readonly attachWebGL: typeof attachWebGL;
  /** Times everything in this realm from now on. Call it before the app makes a device. */
  auto(options?: AutoOptions): Status;
  readonly status: Status;
  readonly timers: readonly (Timer | WebGLTimer)[];
  /** One document over all timers of this realm. */
  report(): Report;
};
export default Passtime;
