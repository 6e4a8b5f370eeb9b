// The waves: a row a signal or folded bundle, over a window of cycles that moves without the cursor.

import { ask, clamp, get, home, length, make, most, rows, say, shape, shared, signals, state, Wave, Waves } from "./page";
import { choosable, redrawn } from "./lists";
import { draw, go, select, writeAddress } from "./view";

/** A row is one signal, or a bundle whose parts are under it or folded into it. */
type Row = { key: string; parts: string[]; bundle: boolean };

const labelRoom = 7, nameRoom = 210, valueRoom = 90, closeRoom = 22, barRoom = 16;

let shown: Waves | null = null; // the waves that are drawn, wider than the window
let room = 200; // the width of a row's window in pixels
let asking = false;

/** visible is the number of cycles in the window. */
const visible = () => Math.min(state.wide, length());

/** left is the first cycle of the window: it follows the cursor until it is moved. */
function left() {
  const { first, last } = shared.span;
  const at = state.left >= 0 ? state.left : state.cycle - Math.floor(state.wide / 2);
  return Math.max(first, Math.min(at, last - visible() + 1));
}

/** follow gives the window up for one around the cursor, if the cursor is not in it. */
export function follow() {
  if (state.left >= 0 && (state.cycle < state.left || state.cycle >= state.left + visible())) state.left = -1;
}

/** wanted asks for three windows, so that moving has something to show before the next answer. */
export function wanted() {
  const from = Math.max(shared.span.first, Math.floor(left() - visible()));
  const to = Math.min(shared.span.last, Math.ceil(left() + 2 * visible()));
  return ask<Waves>("waves", { signals: state.waves.join(","), from, to, cycle: state.cycle });
}

/** pan moves the window by cycles, of which the page may have fractions. New waves come when their end is near. */
export function pan(cycles: number) {
  const { first, last } = shared.span;
  state.left = Math.max(first, Math.min(left() + cycles, last - visible() + 1));
  place();
  if (!shown || asking) return;
  const spare = visible() / 2;
  if (state.left - spare < shown.from && shown.from > first || state.left + visible() + spare > shown.to && shown.to < last) refill();
}

/** refill asks for the waves around the window. */
async function refill() {
  asking = true;
  try {
    drawWaves(await wanted());
    writeAddress();
  } catch (e) { say((e as Error).message); } finally { asking = false; }
}

/** zoom makes the window wider or narrower, with one cycle where it is. */
export function zoom(by: number, around = state.cycle) {
  const at = left(), before = visible();
  state.wide = Math.max(8, Math.min(most(), Math.round(state.wide * by)));
  if (around < at || around > at + before) around = at + before / 2;
  state.left = around - (around - at) * visible() / before;
  draw();
}

/**
 * place shows the window's part of the drawn rows, without drawing them again. It moves them as the
 * images that the browser has made of them: a viewBox would have every text laid out in every frame.
 */
function place() {
  if (!shown) return;
  const x = (left() - shown.from) * room / visible();
  for (const svg of rows.querySelectorAll("svg")) svg.style.transform = `translateX(${-x}px)`;
  const apart = state.cycle - state.mark, from = Math.round(left()), unit = shared.design.unit ? ` × ${shared.design.unit}` : "";
  const noun = shared.design.dump ? "times" : "cycles";
  get("range").textContent = `${noun} ${from} to ${Math.min(shared.span.last, from + visible() - 1)}${unit}`
    + (state.mark < 0 ? "" : `, mark at ${state.mark}: ${Math.abs(apart)} ${noun} ${apart < 0 ? "behind" : "before"} the cursor`);
}

/** measure takes the width of the waves. To ask for it in every frame would lay the page out each time. */
function measure() {
  room = Math.max(200, rows.clientWidth - nameRoom - valueRoom - closeRoom - barRoom);
}

/** grouped puts the signals of a bundle that stand together under a row of the bundle. */
function grouped(names: string[]): Row[] {
  const list: Row[] = [];
  for (let i = 0; i < names.length;) {
    const bundle = bundleOf(names[i]);
    let j = i + 1;
    while (bundle && j < names.length && bundleOf(names[j]) === bundle) j++;
    const parts = names.slice(i, j);
    if (parts.length > 1) list.push({ key: bundle, parts, bundle: true });
    if (parts.length === 1 || !state.folded.has(bundle)) for (const name of parts) list.push({ key: name, parts: [name], bundle: false });
    i = j;
  }
  return list;
}

/** bundleOf is the full name of the bundle of a signal, or nothing. */
export function bundleOf(full: string) {
  const bundle = signals.get(full)?.bundle;
  if (!bundle) return "";
  const scope = home.get(full);
  return scope ? `${scope}.${bundle}` : bundle;
}

/** merged is a bundle as one wave, with all its values at each change of one of them. */
function merged(key: string, parts: Wave[]): Wave {
  const cycles = [...new Set(parts.flatMap(p => p.changes.map(c => c.c)))].sort((a, b) => a - b);
  const at = parts.map(() => 0);
  const changes = cycles.map(c => {
    const values = parts.map((p, i) => {
      while (at[i] + 1 < p.changes.length && p.changes[at[i] + 1].c <= c) at[i]++;
      return p.changes[at[i]]?.v ?? "";
    });
    return { c, v: values.join(" ") };
  });
  return { name: key, width: 2, now: parts.map(p => p.now).join(" "), changes };
}

/** drawWaves draws all rows. */
export const drawWaves = (w: Waves) => redrawn(rows, () => fillWaves(w));

function fillWaves(w: Waves) {
  shown = w;
  const at = rows.scrollTop;
  measure();
  rows.replaceChildren();
  if (!w.waves.length) rows.append(make("div", "empty", "Click a signal in any panel to see its values here."));
  const byName = new Map(w.waves.map(x => [x.name, x]));
  const step = room / visible();
  for (const row of grouped(w.waves.map(x => x.name))) {
    const parts = row.parts.map(n => byName.get(n)!);
    rows.append(drawRow(row, row.bundle ? merged(row.key, parts) : parts[0], w, step));
  }
  rows.scrollTop = at;
  place();
}

/** leave takes a row away, a bundle's with all its parts. */
function leave(row: Row) {
  state.waves = state.waves.filter(n => !row.parts.includes(n));
  draw();
}

/** close takes the row with a key of the lists away. */
export function close(key: string) {
  const row = grouped(state.waves).find(r => "row " + r.key === key);
  if (row) leave(row);
  return row !== undefined;
}

/** drawRow is the name, the value at the cursor and the wave of a row. */
function drawRow(row: Row, wave: Wave, w: Waves, step: number) {
  const e = make("div", "row" + (wave.name === state.sel ? " chosen" : "") + (row.bundle ? " bundle" : ""));
  e.dataset.signal = row.key;
  const folded = state.folded.has(row.key);
  const indent = !row.bundle && bundleOf(row.key) && w.waves.filter(x => bundleOf(x.name) === bundleOf(row.key)).length > 1;
  const name = make("span", "name", (row.bundle ? folded ? "▸ " : "▾ " : indent ? "   " : "") + row.key);
  name.title = row.bundle ? `${row.key}: ${row.parts.length} signals; click to ${folded ? "unfold" : "fold"}` : row.key;
  name.onclick = () => {
    if (!row.bundle) { select(row.key); return; }
    if (!state.folded.delete(row.key)) state.folded.add(row.key);
    draw();
  };
  choosable(name, "row " + row.key);
  const close = make("button", "close", "×");
  close.title = "take this row away (Delete)";
  close.tabIndex = -1;
  close.onclick = () => leave(row);
  e.append(name, make("span", "now", wave.now), row.bundle && !folded ? make("span", "space") : drawing(wave, w, step), close);
  return e;
}

/** drawing is the wave itself, in pixels from the first cycle that is drawn. */
function drawing(wave: Wave, w: Waves, step: number) {
  const x = (c: number) => (c - w.from) * step;
  const end = x(w.to + 1), half = room / 2;
  const svg = shape("svg", { width: Math.ceil(end), height: 25, role: "img", "aria-label": wave.name });
  let d = "";
  wave.changes.forEach((change, i) => {
    const [a, b] = [x(change.c), i + 1 < wave.changes.length ? x(wave.changes[i + 1].c) : end];
    if (wave.width === 1 && (change.v === "0" || change.v === "1")) {
      const y = change.v === "1" ? 5 : 20;
      d += i ? `V${y}H${b}` : `M${a},${y}H${b}`;
      return;
    }
    const slope = Math.min(3, (b - a) / 3);
    d += `M${a},12L${a + slope},4H${b - slope}L${b},12L${b - slope},21H${a + slope}Z`;

    // A long value has its text again in every half window, so that one is in sight.
    for (let from = a; from < b && (from === a || b - from > half / 4); from += half) {
      const letters = Math.floor((Math.min(b, from + half) - from - 8) / labelRoom);
      if (letters > 2 || change.v.length <= letters) svg.append(shape("text", { x: from + 6, y: 16.5 }, change.v.length > letters ? change.v.slice(0, letters - 1) + "…" : change.v));
    }
  });
  svg.prepend(shape("path", { d, class: "trace" }));
  const line = (cycle: number, kind: string) => {
    if (cycle >= w.from && cycle <= w.to) svg.append(shape("path", { d: `M${x(cycle) + Math.min(step / 2, 4)},0V25`, class: kind }));
  };
  line(state.cycle, "cursor");
  if (state.mark >= 0) line(state.mark, "mark");
  const frame = make("span", "wave");
  frame.append(svg);
  frame.addEventListener("click", e => {
    const cycle = cycleAt(e, frame);
    if (!e.shiftKey) { if (state.left < 0) state.left = left(); go(cycle); return; }
    state.mark = state.mark === cycle ? -1 : cycle;
    draw();
  });
  return frame;
}

/** cycleAt is the cycle under the mouse. */
function cycleAt(e: MouseEvent, frame: Element) {
  const box = frame.getBoundingClientRect();
  return clamp(left() + (e.clientX - box.left) / box.width * visible());
}

/** edge goes to the next or the last change of the selected signal. */
export async function edge(back: boolean) {
  if (!signals.has(state.sel)) {
    if (shared.design.dump) go(clamp(state.cycle + (back ? -1 : 1) * Math.max(1, Math.floor(visible() / 20))));
    return;
  }
  try {
    const args: Record<string, string | number> = { name: state.sel, cycle: state.cycle };
    if (back) args.back = 1;
    const found = await ask<{ cycle: number }>("edge", args);
    if (found.cycle === state.cycle) say(`${state.sel} does not change ${back ? "before" : "behind"} ${state.cycle}`);
    else await go(found.cycle);
  } catch (e) { say((e as Error).message); }
}

/** wheel: with shift, or sideways, it moves the window; with ctrl it zooms around the mouse. */
export function wheel(e: WheelEvent) {
  const sideways = e.shiftKey ? e.deltaY || e.deltaX : e.deltaX;
  if (e.ctrlKey) {
    e.preventDefault();
    const frame = (e.target as Element).closest(".wave");
    zoom(e.deltaY > 0 ? 1.5 : 1 / 1.5, frame ? cycleAt(e, frame) : state.cycle);
  } else if (sideways) {
    e.preventDefault();
    pan(sideways / room * visible());
  }
}
