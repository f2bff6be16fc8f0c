import { Html } from '#http/page.js';

/** The style of pages on a screen. */
const SCREEN = `
:root { color-scheme: light dark; --line: #8885; --soft: #8882; --paper: #fff; --text: #1c1c1e; --quiet: #55565a; --tint: #087a4c1a; --accent: #087a4c; --warn: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --paper: #131416; --text: #ececec; --quiet: #b4b5b9; --tint: #4fd1a022; --accent: #4fd1a0; --warn: #ff8a80; } }
* { box-sizing: border-box; }
html { background: var(--paper); color: var(--text); }
body { font: 15px/1.45 system-ui, sans-serif; margin: 0 auto; max-width: 76rem; padding: 0 1rem 3rem; }
header { align-items: center; border-bottom: 1px solid var(--line); display: flex; flex-wrap: wrap; gap: .5rem 1.25rem; padding: .75rem 0; }
header form { margin: 0; }
header form[role=search] { margin-left: auto; }
header input[type=search] { width: 11rem; }
@media (max-width: 700px) { header form[role=search] { margin-left: 0; width: 100%; } header input[type=search] { width: 100%; } }
h1 { font-size: 1.5rem; margin: 1.25rem 0 .75rem; overflow-wrap: anywhere; }
h2 { font-size: 1.1rem; margin: 1.75rem 0 .5rem; }
a { color: var(--accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.skip { background: var(--paper); left: 1rem; padding: .5rem; position: absolute; top: -5rem; z-index: 1; }
.skip:focus { top: .5rem; }
main:focus { outline: none; }
nav { display: flex; flex-wrap: wrap; gap: .25rem 1rem; }
nav [aria-current] { color: inherit; font-weight: 700; text-decoration: none; }
form.filter a { padding: .5rem 0; }
form.filter { align-items: end; display: flex; flex-wrap: wrap; gap: .75rem; margin: .75rem 0; }
label { display: grid; font-size: .85rem; gap: .2rem; grid-template-columns: minmax(0, 1fr); max-width: 100%; min-width: 0; }
form.action > button { justify-self: start; }
form.action { display: grid; gap: .75rem; margin: 1rem 0; max-width: 34rem; }
.buttons { align-items: center; display: flex; flex-wrap: wrap; gap: .75rem 1rem; margin: .75rem 0; }
.affects { font-size: 1.15rem; font-weight: 600; }
small { color: var(--quiet); font-weight: 400; }
input, select, button, textarea, a.button { background: var(--paper); border: 1px solid var(--line); border-radius: 6px; color: var(--text); font: inherit; max-width: 100%; min-height: 2.5rem; padding: .45rem .65rem; }
button { cursor: pointer; }
button.primary, a.primary { background: var(--accent); border-color: var(--accent); color: var(--paper); }
button.danger { background: var(--warn); border-color: var(--warn); }
a.button { display: inline-block; text-decoration: none; }
.table { overflow-x: auto; }
@media screen and (max-width: 700px) { .table table { min-width: 100%; width: max-content; } .table td { max-width: 18rem; } }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; width: 100%; }
caption { font-size: .85rem; padding: .25rem 0; text-align: left; }
th, td { border-top: 1px solid var(--line); padding: .4rem .75rem .4rem 0; text-align: left; vertical-align: top; }
td { max-width: 24rem; overflow-wrap: break-word; }
th.number, td.number { text-align: right; white-space: nowrap; }
th.number + th:not(.number), td.number + td:not(.number) { padding-left: 1rem; }
td code { display: inline-block; max-width: 22rem; overflow-wrap: break-word; }
dl { display: grid; gap: .25rem 1rem; grid-template-columns: fit-content(45%) minmax(0, 1fr); margin: .5rem 0; }
dt { color: var(--quiet); }
dd { margin: 0; overflow-wrap: anywhere; }
code { font: 13px ui-monospace, monospace; overflow-wrap: anywhere; }
.figures { display: grid; gap: .75rem; grid-template-columns: repeat(auto-fit, minmax(min(9.5rem, 100%), 1fr)); margin: 1rem 0; }
.figures div { border: 1px solid var(--line); border-radius: 8px; display: grid; padding: .6rem .8rem; }
.figures span, .figures small { color: var(--quiet); font-size: .85rem; overflow-wrap: anywhere; }
.figures strong { font-size: 1.35rem; font-variant-numeric: tabular-nums; font-weight: 600; overflow-wrap: anywhere; }
.badge { border: 1px solid var(--line); border-radius: 999px; display: inline-block; font-size: .85rem; font-weight: 400; padding: 0 .55rem; white-space: nowrap; }
.badge.bad { border-color: var(--warn); color: var(--warn); }
figure { margin: .5rem 0; }
figcaption { font-size: .9rem; color: var(--quiet); margin: .25rem 0 .5rem; }
summary { cursor: pointer; }
svg.chart { display: block; height: auto; width: 100%; }
@media screen { figure.drawn svg.chart { display: none; } }
svg text { fill: var(--quiet); font: 12px system-ui, sans-serif; font-variant-numeric: tabular-nums; }
svg .grid { stroke: var(--line); }
svg .line { fill: none; stroke: var(--accent); stroke-width: 2; }
svg .coming { stroke-dasharray: 6 5; }
svg .area { fill: var(--tint); }
svg .today { fill: var(--accent); }
svg .mark { stroke: var(--warn); stroke-width: 1.5; }
svg .mark.due { stroke: var(--text); stroke-dasharray: 2 3; }
svg.spark { display: block; }
svg.spark path { fill: var(--accent); }
.amount { font-variant-numeric: tabular-nums; }
.notice { border-left: 4px solid var(--accent); margin: 1rem 0; padding: .25rem .75rem; }
.fault { border-color: var(--warn); }
.wrong { color: var(--warn); margin: .25rem 0 0; }
[aria-invalid=true] { border-color: var(--warn); }
.badge.good { border-color: var(--accent); color: var(--accent); }
.pager { margin: 1rem 0; }
.excerpt { display: block; max-width: 26rem; min-width: 12rem; overflow-wrap: anywhere; }
blockquote { border-left: 4px solid var(--line); margin: .5rem 0; overflow-wrap: anywhere; padding: .25rem .9rem; white-space: pre-line; }
mark { background: #ffe58a; border-radius: 3px; color: #111; padding: 0 .1em; }
pre { background: var(--soft); border-radius: 6px; font: 13px/1.45 ui-monospace, monospace; max-height: 26rem; overflow: auto; padding: .75rem; }
.why { display: block; }
progress { accent-color: var(--accent); height: 1.25rem; width: min(30rem, 100%); }
td time { white-space: nowrap; }
`;

/**
 * The style of pages on paper: black on white with any colour scheme, without clickable elements, tables at full
 * width with their headings on each sheet, and the chart as drawn by the page, which scales.
 */
const PRINT = `
@page { margin: 16mm 14mm; }
@media print {
  :root { color-scheme: light; --line: #999; --soft: #eee; --paper: #fff; --text: #000; --quiet: #333; --tint: #0001; --accent: #000; --warn: #000; }
  .skip, header, form, nav, button, details, .no-print, .buttons, .uplot { display: none !important; }
  body { font-size: 10pt; max-width: none; padding: 0; }
  h1 { font-size: 16pt; margin-top: 0; }
  h2, h3, caption, dt { break-after: avoid; }
  a, a.button { border: 0; color: inherit; padding: 0; text-decoration: none; }
  .table { overflow: visible; }
  table { font-size: 9pt; }
  thead { display: table-header-group; }
  tr, .figures div, figure { break-inside: avoid; }
  th, td { overflow-wrap: anywhere; padding: .2rem .5rem .2rem 0; }
  td code { display: inline; overflow-wrap: anywhere; }
  .statement table { font-size: 8pt; }
  .statement th, .statement td { max-width: 9rem; overflow-wrap: break-word; padding-right: .4rem; }
  .statement td:last-child { max-width: none; overflow-wrap: anywhere; }
  pre { max-height: none; overflow: visible; white-space: pre-wrap; }
}
`;

export const STYLE = SCREEN + PRINT;

// in one piece, so that no template formatter changes the hashed text
export const STYLE_ELEMENT = new Html(`<style>${STYLE}</style>`);
