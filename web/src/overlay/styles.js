// SPDX-License-Identifier: MIT
/** The panel's style sheet. Colours of passes are told apart by lightness as well as by hue; red means over budget and nothing else. */

const LIGHT = `
  --ground: #fdfdfc; --raised: #f2f3f1; --edge: #d4d7d3; --ink: #1b1f23; --soft: #59636b;
  --bar: #8fa3b8; --over: #d1242f; --over-ink: #b3151f; --dim: #ccd3da; --line: #59636b; --pick: #0b57d0;
  --good: #1a7f45; --good-ground: #dff3e5; --warn: #7a5200; --warn-ground: #fbeecb; --over-ground: #fde3e3;
  --c0: #3568b8; --c1: #e39a2d; --c2: #2b9484; --c3: #9a5bb5; --c4: #93a534; --c5: #55a3d9;
  --c6: #7a5a3c; --c7: #d47bb0; --c8: #3f6e4f; --c9: #7d84c9; --rest: #9aa3aa; --on-deep: #fff; --hatch: rgb(209 36 47 / 60%); --band: rgb(11 87 208 / 22%);
  --shadow: 0 8px 28px rgb(20 28 36 / 22%), 0 1px 3px rgb(20 28 36 / 16%);`;

const DARK = `
  --ground: #16191d; --raised: #22272d; --edge: #39414a; --ink: #e9edf1; --soft: #9da8b3;
  --bar: #6a8098; --over: #ff5c5c; --over-ink: #ff8a86; --dim: #3a444e; --line: #9da8b3; --pick: #8ab4ff;
  --good: #6fd391; --good-ground: #173423; --warn: #efc367; --warn-ground: #3a2d10; --over-ground: #451d1f;
  --c0: #6a9df0; --c1: #f0b04f; --c2: #45c2ad; --c3: #c28be0; --c4: #b8cb55; --c5: #7cc4f2;
  --c6: #b8906a; --c7: #f09ccb; --c8: #6fb087; --c9: #a4abee; --rest: #77828c; --on-deep: #0d1114; --hatch: rgb(120 0 0 / 55%); --band: rgb(138 180 255 / 30%);
  --shadow: 0 8px 28px rgb(0 0 0 / 55%), 0 0 0 1px rgb(255 255 255 / 4%);`;

const colors = Array.from({ length: 10 }, (_, i) => `i[data-color="${i}"], div[data-color="${i}"] { background: var(--c${i}); }`).join('\n');

export const css = `
:host { all: initial; ${LIGHT} color-scheme: light; position: fixed; inset: 12px 12px auto auto; z-index: 2147483000;
  width: min(456px, calc(100vw - 24px)); contain: layout style; display: block; }
:host([hidden]), :host(:not([open])) { display: none; }
@media (prefers-color-scheme: dark) { :host(:not([theme="light"])) { ${DARK} color-scheme: dark; } }
:host([theme="dark"]) { ${DARK} color-scheme: dark; }
:host([place="left"]) { inset: 12px auto auto 12px; }
*, *::before { box-sizing: border-box; }
[hidden] { display: none !important; }

.panel { display: flex; flex-direction: column; max-height: calc(100vh - 24px); max-height: calc(100dvh - 24px);
  overflow: hidden; background: var(--ground); color: var(--ink); border: 1px solid var(--edge); border-radius: 10px;
  box-shadow: var(--shadow); font: 12px/1.4 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif;
  font-variant-numeric: tabular-nums; text-align: left; }
.panel:focus { outline: none; }
:focus-visible { outline: 2px solid var(--pick) !important; outline-offset: 1px; }

header { display: flex; align-items: center; gap: 6px; padding: 6px 6px 6px 12px; border-bottom: 1px solid var(--edge); }
.brand { font-weight: 650; letter-spacing: .01em; }
.method { flex: 1; min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; color: var(--soft); }
.scroll { overflow: auto; overscroll-behavior: contain; padding: 10px 12px 4px; }
button, select { font: inherit; color: inherit; background: var(--raised); border: 1px solid var(--edge);
  border-radius: 6px; padding: 3px 8px; min-height: 26px; cursor: pointer; }
button:hover, select:hover { border-color: var(--soft); }
button[aria-pressed="true"] { background: var(--ink); color: var(--ground); border-color: var(--ink); }
button:disabled { opacity: .45; cursor: default; }
.close { border-color: transparent; background: none; font-size: 16px; line-height: 1; padding: 3px 8px; }

.tabs { display: flex; flex: none; gap: 4px; overflow-x: auto; padding: 6px 12px 0; }
.tabs button { border-radius: 6px; white-space: nowrap; }
.tabs button[aria-selected="true"] { background: var(--ink); color: var(--ground); border-color: var(--ink); }

.head { display: flex; align-items: baseline; flex-wrap: wrap; gap: 0 8px; }
.big { font-size: 25px; font-weight: 600; letter-spacing: -.01em; line-height: 1.15; }
.big[data-tone="over"] { color: var(--over-ink); }
.unit { color: var(--soft); }
.chip { margin-left: auto; align-self: center; border-radius: 20px; padding: 1px 9px; background: var(--raised); color: var(--soft);
  font-weight: 600; white-space: nowrap; }
.chip[data-tone="good"] { background: var(--good-ground); color: var(--good); }
.chip[data-tone="warn"] { background: var(--warn-ground); color: var(--warn); }
.chip[data-tone="over"] { background: var(--over-ground); color: var(--over-ink); }
.bound { color: var(--soft); margin: 1px 0 0; }

.bar { position: relative; height: 22px; margin: 7px 0 18px; background: var(--raised); border-radius: 4px; }
.stack { position: absolute; inset: 0; overflow: hidden; border-radius: 4px; }
.segment { position: absolute; top: 0; bottom: 0; padding: 0 4px; overflow: hidden; white-space: nowrap; text-overflow: ellipsis;
  font-size: 11px; line-height: 22px; color: #0d1114; background: var(--rest); border-right: 1px solid var(--ground); }
${colors}
.segment[data-color="0"], .segment[data-color="3"], .segment[data-color="6"], .segment[data-color="8"] { color: var(--on-deep); }
.over { position: absolute; top: -3px; bottom: -3px; border: 2px solid var(--over); border-left: 0; border-radius: 0 4px 4px 0;
  background: repeating-linear-gradient(135deg, var(--hatch) 0 1.5px, transparent 1.5px 6px); }
.limit { position: absolute; top: -3px; bottom: -4px; border-left: 2px solid var(--ink); }
.limit.frame { border-left: 1px dashed var(--soft); }
.limit span { position: absolute; top: 100%; right: 2px; white-space: nowrap; font-size: 11px; line-height: 1.2; color: var(--soft); }
.limit.frame span { right: -2px; }
.limit[data-side="right"] span { right: auto; left: 2px; }

.chart { display: block; width: 100%; height: 64px; border-bottom: 1px solid var(--edge); cursor: crosshair; border-radius: 3px 3px 0 0; }
.under { display: flex; align-items: center; gap: 4px; margin: 4px 0 8px; }
.under p { flex: 1; margin: 0; color: var(--soft); min-width: 0; }
.under[data-chosen] p { color: var(--ink); }
.under button { white-space: nowrap; }

.passes { margin: 0 -4px; }
table { width: 100%; border-collapse: collapse; table-layout: fixed; }
th, td { padding: 3px 4px; font-weight: 400; vertical-align: top; text-align: left; overflow: hidden; }
thead th { padding: 0; border-bottom: 1px solid var(--edge); color: var(--soft); }
thead th > span, thead th button { display: block; width: 100%; padding: 3px 4px; border: 0; background: none; min-height: 0;
  text-align: right; color: inherit; white-space: nowrap; border-radius: 0; }
thead th:first-child button { text-align: left; }
thead th[aria-sort="descending"] button { color: var(--ink); font-weight: 600; }
thead th:nth-child(2) { width: 30%; } thead th:nth-child(3) { width: 13%; }
thead th:nth-child(4) { width: 15%; } thead th:nth-child(5) { width: 14%; }
tbody tr + tr:not(.marks) > * { border-top: 1px solid color-mix(in srgb, var(--edge) 55%, transparent); }
.title { display: flex; align-items: center; gap: 6px; min-width: 0; }
.swatch { flex: none; width: 9px; height: 9px; border-radius: 2px; background: var(--rest); }
.name { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
tbody tr.marks > td { border-top: 0; padding: 0 4px 4px 19px; font-size: 11px; line-height: 1.25; color: var(--soft); overflow-wrap: anywhere; }
.number { text-align: right; white-space: nowrap; }
.share { position: relative; padding-bottom: 6px; }
.fill { position: absolute; left: 6px; bottom: 2px; height: 2px; max-width: calc(100% - 10px); background: var(--soft); border-radius: 1px; }
[data-bad] { color: var(--warn); font-style: italic; }
.note { color: var(--soft); margin: 4px; }

.warnings { list-style: none; margin: 6px 0; padding: 0; }
.warnings li { padding: 4px 8px; margin-top: 4px; border-radius: 5px; background: var(--warn-ground); color: var(--warn); }
.advice { list-style: none; margin: 6px 0; padding: 0; }
.advice li { padding: 4px 8px; margin-top: 4px; border-radius: 5px; background: var(--raised); color: var(--soft); overflow-wrap: anywhere; }
.state { padding: 2px 0 10px; color: var(--soft); }
details { border-top: 1px solid var(--edge); margin: 0 -12px; padding: 0 12px; }
summary { padding: 6px 0; cursor: pointer; color: var(--soft); }
details[open] summary { color: var(--ink); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 2px 12px; margin: 0 0 8px; }
dt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; }
.ledger p { margin: 0 0 6px; }

footer { display: flex; flex-wrap: wrap; align-items: center; gap: 5px; padding: 7px 12px; border-top: 1px solid var(--edge); background: var(--ground); }
.capture[data-on] { background: var(--ink); color: var(--ground); border-color: var(--ink); white-space: nowrap; }
.capture[aria-busy="true"] { opacity: .6; cursor: progress; }
footer label { display: flex; align-items: center; gap: 4px; color: var(--soft); }
.said { flex: 1 1 13em; color: var(--soft); min-height: 0; }
.said:empty { display: none; }

@media (max-width: 520px) {
  :host { inset: auto 0 0 0 !important; width: 100%; }
  .panel { border-radius: 12px 12px 0 0; border-width: 1px 0 0; max-height: 54vh; max-height: 54dvh; }
  button, select { min-height: 34px; }
  thead th button { min-height: 0; }
  /* The name has a line of its own, the numbers stand below it. */
  tr { display: grid; grid-template-columns: 2.1fr 1.2fr 1.3fr 1.2fr; }
  thead th:nth-child(n) { width: auto; }
  thead th:first-child { display: none; }
  tbody th { grid-column: 1 / -1; padding-bottom: 0; }
  tbody tr:not(.marks) > td { border-top: 0 !important; padding-top: 0; }
  tr.marks > td { grid-column: 1 / -1; }
  .share { padding-bottom: 5px; }
}
@media (forced-colors: active) { .segment, .swatch { forced-color-adjust: none; } }
`;
