// The page of etch view. Its state is one selection, one cycle, one instance and the list of waves,
// held in the address behind the #; a change of the state asks the server for the values and draws
// all panels again.

type Signal = { name: string; full: string; width: number; kind: string; type: string; file?: string; line?: number };
type Memory = { name: string; full: string; depth: number; width: number };
type Scope = { name: string; path: string; module: string; signals: Signal[]; mems?: Memory[]; children?: Scope[] };
type Span = { first: number; last: number; cycle: number };
type Design = { name: string; live: boolean; span: Span; top: Scope };
type Note = { line: number; name: string; full: string; value: string };
type Source = { files: string[]; file: string; text: string; note?: string; notes: Note[] };
type Box = { name: string; full: string; kind: string; width?: number; lines: string[] | null; value?: string; more?: boolean; x: number; y: number; w: number; h: number };
type Edge = { from: number; to: number; path: [number, number][]; bold?: boolean; back?: boolean };
type Graph = { boxes: Box[] | null; edges: Edge[] | null; w: number; h: number; all: number };
type Wave = { name: string; width: number; changes: { c: number; v: string }[] };
type Waves = { from: number; to: number; waves: Wave[] };
type Reason = { text: string; signal: string; cycle: number; file: string; line: number; source: string };
type Share = { hit: number; all: number };
type Covered = { name: string; statements: Share; branches: Share; toggles: Share; states: Share; transitions: Share; missing?: string[]; stuck?: string[] };
type Coverage = { lines: { line: number; count: number }[]; modules: Covered[] };
type Words = { name: string; depth: number; from: number; words: string[] };

const get = <T extends HTMLElement>(id: string) => document.getElementById(id) as T;
const [tree, code, drawing, rows] = ["tree", "code", "drawing", "rows"].map(id => get(id));
const [search, cycleInput, valueInput, untilInput] = ["search", "cycle", "value", "until"].map(id => get<HTMLInputElement>(id));

let design: Design;
let span: Span;
const scopes = new Map<string, Scope>();
const signals = new Map<string, Signal>();
const home = new Map<string, string>(); // the instance of a signal or memory
const memories = new Map<string, Memory>();
const state = { scope: "", sel: "", cycle: 0, waves: [] as string[], cone: false, why: false, cover: false, mark: -1, wide: 60 };

let asked = 0; // questions without an answer so far

/**
 * ask gets an answer of the server; an error has the server's text. The page is busy from the first
 * question until the last answer has been drawn: whoever asks continues before the browser does
 * anything else, so that a page that is not busy shows its state.
 */
async function ask<T>(path: string, args: Record<string, string | number> = {}, method = "GET"): Promise<T> {
  const query = new URLSearchParams(Object.entries(args).map(([k, v]) => [k, String(v)]));
  asked++;
  document.body.ariaBusy = "true";
  try {
    const reply = await fetch(`api/${path}?${query}`, { method });
    const body = await reply.json();
    if (body.error) throw new Error(body.error);
    return body as T;
  } finally {
    document.body.ariaBusy = String(--asked > 0);
  }
}

/** make makes an element with a class and a text. */
function make(tag: string, name = "", text = ""): HTMLElement {
  const e = document.createElement(tag);
  if (name) e.className = name;
  e.textContent = text;
  return e;
}

/** shape makes an element of a drawing. */
function shape(tag: string, attributes: Record<string, string | number>, text = ""): SVGElement {
  const e = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, String(v));
  if (text) e.textContent = text;
  return e;
}

/** say shows an error, or nothing. */
function say(text: string) { get("message").textContent = text; get("message").classList.remove("good"); }

/** tell shows good news. */
function tell(text: string) { say(text); get("message").classList.add("good"); }

/** writeAddress puts the state into the address; readAddress is its reverse. */
function writeAddress() {
  const q = new URLSearchParams({ scope: state.scope, sel: state.sel, cycle: String(state.cycle), waves: state.waves.join(","), wide: String(state.wide) });
  if (state.cone) q.set("cone", "1");
  if (state.why) q.set("why", "1");
  if (state.cover) q.set("cover", "1");
  if (state.mark >= 0) q.set("mark", String(state.mark));
  history.replaceState(null, "", "#" + q);
}

function readAddress() {
  const q = new URLSearchParams(location.hash.slice(1));
  const scope = q.get("scope") ?? "";
  state.scope = scopes.has(scope) ? scope : "";
  const sel = q.get("sel") ?? "";
  state.sel = signals.has(sel) || memories.has(sel) || scopes.has(sel) ? sel : "";
  state.cycle = clamp(Number(q.get("cycle") ?? span.cycle));
  state.wide = Math.max(8, Math.min(2000, Number(q.get("wide")) || 60));
  state.cone = q.has("cone");
  state.why = q.has("why");
  state.cover = q.has("cover");
  state.mark = q.has("mark") ? Number(q.get("mark")) || 0 : -1;
  state.waves = q.has("waves") ? q.get("waves")!.split(",").filter(n => signals.has(n)) : firstWaves();
}

/** firstWaves are the ports and registers of the top, which a newcomer sees. */
function firstWaves() {
  return design.top.signals.filter(s => s.kind !== "wire" && s.kind !== "check" && s.type !== "clock").slice(0, 12).map(s => s.full);
}

function clamp(cycle: number) {
  return Math.max(span.first, Math.min(span.last, Math.floor(cycle) || 0));
}

/** select makes a signal, memory or instance the selected one in all panels. */
function select(full: string) {
  if (scopes.has(full) && !signals.has(full)) state.scope = full;
  else {
    state.scope = home.get(full) ?? state.scope;
    if (signals.has(full) && !state.waves.includes(full)) state.waves.push(full);
  }
  state.sel = full;
  draw();
}

/**
 * go moves the cursor; a live run makes the cycles that it lacks. The cursor moves at once, so that
 * a key that is pressed again before the answer goes on from there.
 */
async function go(cycle: number) {
  const before = state.cycle;
  try {
    if (cycle < span.first || !design.live && cycle > span.last) throw new Error(`cycle ${cycle}: the run has cycles ${span.first} to ${span.last}`);
    state.cycle = cycle;
    if (cycle > span.last) {
      const longer = await ask<Span>("run", { to: cycle }, "POST");
      if (longer.last > span.last) span = longer;
    }
    if (state.cycle <= span.last) await draw(); // else a later call will
  } catch (e) {
    state.cycle = clamp(Math.min(before, span.last));
    say((e as Error).message);
  }
}

/** until goes to the next cycle in which the condition holds, or to the one before. */
async function until(back: boolean) {
  if (!untilInput.value.trim()) { untilInput.focus(); return; }
  try {
    const args: Record<string, string | number> = { condition: untilInput.value, cycle: state.cycle };
    if (back) args.back = 1;
    span = await ask<Span>("until", args, "POST");
    state.cycle = span.cycle;
    await draw();
  } catch (e) { say((e as Error).message); }
}

/** gtkwave has the server write the waves and the rows of the page for GTKWave. */
async function gtkwave() {
  try {
    const files = await ask<{ waves: string; save: string }>("gtkwave", { signals: state.waves.join(",") }, "POST");
    tell(`wrote ${files.waves} and ${files.save}: gtkwave ${files.save}`);
  } catch (e) { say((e as Error).message); }
}

let drawn = 0;

/** draw asks for everything at the present state; an answer that comes behind a newer call is dropped. */
async function draw() {
  const mine = ++drawn;
  writeAddress();
  const { scope, cycle, sel } = state;
  const from = Math.max(span.first, Math.min(cycle - Math.floor(state.wide / 2), span.last - state.wide + 1));
  const to = Math.min(span.last, from + state.wide - 1);
  try {
    const graph: Record<string, string | number> = { scope, cycle, focus: sel };
    if (state.cone) graph.cone = 1;
    const memory = memories.get(sel);
    const declared = signals.get(sel);
    const [values, source, schematic, waves, words, reasons] = await Promise.all([
      ask<Record<string, string>>("values", { scope, cycle }),
      ask<Source>("source", declared?.file && home.get(sel) === scope ? { scope, cycle, file: declared.file } : { scope, cycle }),
      ask<Graph>("schematic", graph),
      ask<Waves>("waves", { signals: state.waves.join(","), from, to }),
      memory ? ask<Words>("memory", { name: sel, cycle }) : null,
      state.why && declared ? ask<Reason[]>("why", { name: sel, cycle }) : null,
    ]);
    const coverage = state.cover ? await ask<Coverage>("coverage", { file: source.file }) : null;
    if (mine !== drawn) return;
    say("");
    cycleInput.value = String(cycle);
    get("of").textContent = `of ${span.last}`;
    drawTree(values);
    drawSource(source, words, coverage);
    offer();
    if (state.why) drawReasons(reasons);
    else drawSchematic(schematic);
    get("why").classList.toggle("on", state.why);
    get("cover").classList.toggle("on", state.cover);
    drawWaves(waves);
    document.body.dataset.ready = `${cycle} ${sel}`;
    document.body.dataset.wide = String(innerWidth);
  } catch (e) { if (mine === drawn) say((e as Error).message); }
}

/** offer adds the selected register to what a live run can set. */
function offer() {
  const input = get<HTMLSelectElement>("input");
  const chosen = signals.get(state.sel);
  input.querySelector("option.register")?.remove();
  if (!design.live || chosen?.kind !== "register") return;
  const option = new Option(chosen.full + " (register)", chosen.full, false, true);
  option.className = "register";
  input.append(option);
  input.value = chosen.full;
  get("inputs").hidden = false;
}

/** share is a part of a number of points. */
const share = (name: string, s: Share) => s.all ? `${name} ${s.hit} of ${s.all}` : "";

/** drawTree lists the instances and the signals of the open one, or what the search finds. */
function drawTree(values: Record<string, string>) {
  const at = tree.scrollTop;
  tree.replaceChildren();
  const word = search.value.toLowerCase();
  const line = (depth: number, full: string, name: string, value: string, heading: boolean) => {
    const e = make("div", full === state.sel ? "chosen" : "");
    e.append(make(heading ? "b" : "span", "", " ".repeat(2 * depth) + name), make("i", "", value));
    e.title = full;
    e.dataset.signal = full;
    e.onclick = () => select(full);
    tree.append(e);
  };
  if (word) {
    let found = 0;
    for (const full of [...signals.keys(), ...memories.keys()]) {
      if (full.toLowerCase().includes(word) && ++found <= 200) line(0, full, full, "", false);
    }
    if (!found) tree.append(make("div", "", "nothing of that name"));
    return;
  }
  const visit = (s: Scope, depth: number) => {
    line(depth, s.path, s.name, s.path === "" || s.module === s.name ? "" : s.module, true);
    if (s.path === state.scope) {
      for (const x of s.signals) if (x.type !== "clock") line(depth + 1, x.full, x.name, values[x.name] ?? "", false);
      for (const m of s.mems ?? []) line(depth + 1, m.full, m.name, `${m.depth}×${m.width}`, false);
    }
    // Below the open instance and its parents only: a design may have a hundred thousand.
    if (state.scope === s.path || s.path === "" || state.scope.startsWith(s.path + ".")) {
      for (const c of (s.children ?? []).slice(0, 500)) visit(c, depth + 1);
    }
  };
  visit(design.top, 0);
  tree.scrollTop = at;
}

let shownFile = "", shownSelection = "";

/** drawSource shows a file with values at the ends of lines, or the words of a selected memory. */
function drawSource(source: Source, words: Words | null, coverage: Coverage | null) {
  get("file").textContent = words ? words.name : source.file.split("/").slice(-2).join("/");
  get("file").title = source.file;
  const at = code.scrollTop;
  code.replaceChildren();
  if (words) {
    words.words.forEach((w, i) => {
      const e = make("div", "", `${words.from + i}`.padStart(6) + "  ");
      e.append(make("span", "value", w));
      code.append(e);
    });
    if (words.from + words.words.length < words.depth) code.append(make("p", "", `… ${words.depth} words`));
    shownFile = words.name;
    return;
  }
  if (source.note) code.append(make("p", "", source.note));
  const counts = new Map((coverage?.lines ?? []).map(l => [l.line, l.count]));
  const module = coverage?.modules.find(m => m.name === scopes.get(state.scope)?.module);
  if (module) {
    const text = [share("statements", module.statements), share("branches", module.branches), share("toggles", module.toggles), share("states", module.states), share("transitions", module.transitions)].filter(t => t).join(" · ");
    const e = make("p", "coverage", `${module.name}: ${text}`);
    e.title = [...(module.missing ?? []), ...(module.stuck ?? []).map(n => `not every bit of ${n} rose and fell`)].join("\n");
    code.append(e);
  }
  const byLine = new Map<number, Note[]>();
  for (const n of source.notes) byLine.set(n.line, [...(byLine.get(n.line) ?? []), n]);
  let lit: HTMLElement | null = null;
  source.text.replace(/\n$/, "").split("\n").forEach((text, i) => {
    const notes = byLine.get(i + 1) ?? [];
    const e = make("div", notes.length ? "has" : "");
    const number = make("span", "number", String(i + 1));
    const count = counts.get(i + 1);
    if (count !== undefined) {
      e.classList.add(count ? "acted" : "never");
      number.title = count ? `acted ${count} times` : "never acted";
    }
    e.append(number, text);
    if (notes.some(n => n.full === state.sel)) { e.classList.add("chosen"); lit = e; }
    const values = make("span", "values");
    for (const n of notes) {
      const v = make("span", "value", `${n.name} = ${n.value}`);
      v.onclick = event => { event.stopPropagation(); select(n.full); };
      values.append(v);
    }
    if (notes.length) e.append(values);
    if (notes.length) e.onclick = () => select(notes[0].full);
    code.append(e);
  });
  code.scrollTop = at;
  const moved = shownFile !== source.file || shownSelection !== state.sel;
  [shownFile, shownSelection] = [source.file, state.sel];
  if (moved && lit) (lit as HTMLElement).scrollIntoView({ block: "center" });
}

/** drawReasons lists the causes of the selected signal's value, in the schematic's place. A click goes to one. */
function drawReasons(reasons: Reason[] | null) {
  get("boxes").textContent = reasons ? `why is ${state.sel} as it is in cycle ${state.cycle}?` : "select a signal to see why it has its value";
  const list = make("div", "reasons");
  let last = -1;
  for (const x of reasons ?? []) {
    const e = make("div");
    e.append(make("span", "number", x.cycle === last ? "" : String(x.cycle)), make("span", "cause", x.text));
    if (x.line) e.append(make("span", "from", `${x.file.split("/").pop()}:${x.line}: ${x.source}`));
    last = x.cycle;
    if (signals.has(x.signal)) {
      e.className = "has";
      e.dataset.signal = x.signal;
      e.onclick = () => { state.cycle = clamp(x.cycle); select(x.signal); };
    }
    list.append(e);
  }
  drawing.replaceChildren(list);
}

let shownScope: string | null = null;

/** drawSchematic draws the boxes where the server put them. */
function drawSchematic(g: Graph) {
  const boxes = g.boxes ?? [], edges = g.edges ?? [];
  get("boxes").textContent = boxes.length < g.all ? `${boxes.length} of ${g.all} boxes` : `${g.all} boxes`;
  get("cone").classList.toggle("on", state.cone);
  // A drawing that is a little too wide is made smaller; a larger one is scrolled.
  const scale = Math.max(0.65, Math.min(1, (drawing.clientWidth - 4) / g.w));
  const svg = shape("svg", { width: g.w * scale, height: g.h * scale, viewBox: `0 0 ${g.w} ${g.h}` });
  for (const e of edges) {
    // Curves from point to point, level at each end.
    let d = `M${e.path[0]}`;
    for (let i = 1; i < e.path.length; i++) {
      const [[x, y], [u, w]] = [e.path[i - 1], e.path[i]];
      const bend = e.back && e.path.length === 2 ? 60 : (u - x) / 2;
      d += `C${x + bend},${y} ${u - bend},${w} ${u},${w}`;
    }
    const lit = boxes[e.from].full === state.sel || boxes[e.to].full === state.sel;
    svg.append(shape("path", { d, class: `edge${e.bold ? " bold" : ""}${e.back ? " back" : ""}${lit ? " lit" : ""}` }));
  }
  let chosen: SVGElement | null = null;
  for (const b of boxes) {
    const group = shape("g", { class: `box ${b.kind}${b.full === state.sel ? " chosen" : ""}`, transform: `translate(${b.x},${b.y})`, "data-signal": b.full });
    group.append(shape("title", {}, `${b.kind} ${b.full}${b.width ? `, ${b.width} bits` : ""}`), shape("rect", { width: b.w, height: b.h }));
    group.append(shape("text", { x: 10, y: 18, "font-weight": "bold" }, b.name));
    if (b.value !== undefined) {
      const value = b.value.length > 18 ? b.value.slice(0, 17) + "…" : b.value;
      group.append(shape("text", { x: b.w - 10, y: 18, "text-anchor": "end", class: "shown" }, value));
    }
    (b.lines ?? []).forEach((l, i) => group.append(shape("text", { x: 10, y: 36 + 16 * i, class: "faint" }, l)));
    if (b.more) {
      const more = shape("text", { x: 1, y: b.h - 2, class: "shown more" }, "+");
      more.append(shape("title", {}, "show what it depends on"));
      more.addEventListener("click", e => { e.stopPropagation(); state.cone = true; select(b.full); });
      group.append(more);
    }
    group.addEventListener("click", () => select(b.full));
    svg.append(group);
    if (b.full === state.sel || b === boxes[0] && shownScope !== state.scope) chosen = group;
  }
  shownScope = state.scope;
  const [x, y] = [drawing.scrollLeft, drawing.scrollTop];
  drawing.replaceChildren(svg);
  drawing.scrollTo(x, y);
  if (chosen) (chosen as SVGElement).scrollIntoView({ block: "nearest", inline: "nearest" });
}

/** drawWaves draws a row a signal; a click moves the cursor. */
function drawWaves(w: Waves) {
  const apart = state.cycle - state.mark;
  get("range").textContent = `cycles ${w.from} to ${w.to}` + (state.mark < 0 ? "" : `, mark at ${state.mark}: ${Math.abs(apart)} cycles ${apart < 0 ? "behind" : "before"} the cursor`);
  const cycles = w.to - w.from + 1;
  const at = rows.scrollTop;
  rows.replaceChildren();
  if (!w.waves.length) rows.append(make("div", "empty", "Click a signal in any panel to see its values here."));
  const width = Math.max(200, rows.clientWidth - 210 - 90 - 22 - 16), step = width / cycles;
  const x = (c: number) => (c - w.from) * step;
  for (const wave of w.waves) {
    const row = make("div", "row" + (wave.name === state.sel ? " chosen" : ""));
    row.dataset.signal = wave.name;
    const name = make("span", "name", wave.name);
    name.title = wave.name;
    name.onclick = () => select(wave.name);
    const close = make("button", "close", "×");
    close.title = "take this row away";
    close.onclick = () => { state.waves = state.waves.filter(n => n !== wave.name); draw(); };
    const svg = shape("svg", { viewBox: `0 0 ${width} 25`, preserveAspectRatio: "none", role: "img", "aria-label": wave.name });
    let now = "", d = "";
    wave.changes.forEach((change, i) => {
      if (change.c <= state.cycle) now = change.v;
      const [a, b] = [x(change.c), i + 1 < wave.changes.length ? x(wave.changes[i + 1].c) : width];
      if (wave.width === 1 && (change.v === "0" || change.v === "1")) {
        const y = change.v === "1" ? 5 : 20;
        d += i ? `V${y}H${b}` : `M${a},${y}H${b}`;
        return;
      }
      const slope = Math.min(3, (b - a) / 3);
      d += `M${a},12L${a + slope},4H${b - slope}L${b},12L${b - slope},21H${a + slope}Z`;
      const room = Math.floor((b - a - 8) / 7);
      if (room > 2 || change.v.length <= room) svg.append(shape("text", { x: a + 6, y: 16.5 }, change.v.length > room ? change.v.slice(0, room - 1) + "…" : change.v));
    });
    svg.prepend(shape("path", { d, class: "trace" }));
    const cursor = x(state.cycle) + Math.min(step / 2, 4);
    svg.append(shape("path", { d: `M${cursor},0V25`, class: "cursor" }));
    if (state.mark >= w.from && state.mark <= w.to) svg.append(shape("path", { d: `M${x(state.mark) + Math.min(step / 2, 4)},0V25`, class: "mark" }));
    svg.addEventListener("click", e => {
      const box = svg.getBoundingClientRect();
      const cycle = Math.floor(w.from + Math.min(cycles - 1, Math.floor((e as MouseEvent).clientX - box.left) / box.width * cycles));
      if (!(e as MouseEvent).shiftKey) { go(cycle); return; }
      state.mark = state.mark === cycle ? -1 : cycle;
      draw();
    });
    row.append(name, make("span", "now", now), svg, close);
    rows.append(row);
  }
  rows.scrollTop = at;
}

/** change of the selected wave: the next cycle, or the one before, with another value. */
async function edge(direction: number) {
  if (!signals.has(state.sel)) return;
  const from = direction > 0 ? state.cycle : Math.max(span.first, state.cycle - 5000);
  const to = direction > 0 ? Math.min(span.last, state.cycle + 5000) : state.cycle;
  const w = await ask<Waves>("waves", { signals: state.sel, from, to });
  const cycles = w.waves[0].changes.slice(1).map(c => c.c);
  const found = direction > 0 ? cycles[0] : cycles.filter(c => c < state.cycle).pop();
  if (found === undefined) say(`${state.sel} does not change in cycles ${from} to ${to}`);
  else go(found);
}

/** keys of the whole page; inside a text field only Escape. */
function key(e: KeyboardEvent) {
  const typing = e.target instanceof HTMLInputElement || e.target instanceof HTMLSelectElement;
  if (e.key === "Escape") { (e.target as HTMLElement).blur(); if (search.value) { search.value = ""; draw(); } return; }
  if (typing || e.ctrlKey || e.metaKey || e.altKey) return;
  const move = (d: number) => {
    const i = state.waves.indexOf(state.sel) + d;
    if (state.waves.length) select(state.waves[(i + state.waves.length) % state.waves.length]);
  };
  const keys: Record<string, () => void> = {
    ArrowLeft: () => e.shiftKey ? edge(-1) : go(state.cycle - 1), ArrowRight: () => e.shiftKey ? edge(1) : go(state.cycle + 1),
    ArrowUp: () => move(-1), ArrowDown: () => move(1), Home: () => go(span.first), End: () => go(span.last),
    "/": () => search.focus(), g: () => cycleInput.select(), c: () => get("cone").click(), w: () => get("why").click(), v: () => get("cover").click(), u: () => untilInput.select(), n: () => until(false), N: () => until(true),
    m: () => { state.mark = state.mark === state.cycle ? -1 : state.cycle; draw(); }, "+": () => zoom(0.5), "-": () => zoom(2),
  };
  if (keys[e.key]) { e.preventDefault(); keys[e.key](); }
}

function zoom(by: number) {
  state.wide = Math.max(8, Math.min(2000, Math.round(state.wide * by)));
  draw();
}

/** start reads the design and connects the controls. */
async function start() {
  design = await ask<Design>("design");
  span = design.span;
  const visit = (s: Scope) => {
    scopes.set(s.path, s);
    for (const x of s.signals) { signals.set(x.full, x); home.set(x.full, s.path); }
    for (const m of s.mems ?? []) { memories.set(m.full, m); home.set(m.full, s.path); }
    (s.children ?? []).forEach(visit);
  };
  visit(design.top);
  document.title = `${design.name} · etch view`;
  get("title").textContent = design.name;
  readAddress();

  get("begin").onclick = () => go(span.first);
  get("end").onclick = () => go(span.last);
  get("back").onclick = () => go(state.cycle - 1);
  get("next").onclick = () => go(state.cycle + 1);
  get("cone").onclick = () => { state.cone = !state.cone; draw(); };
  get("why").onclick = () => { state.why = !state.why; draw(); };
  get("cover").onclick = () => { state.cover = !state.cover; draw(); };
  get("gtkwave").onclick = gtkwave;
  get("find").onsubmit = e => { e.preventDefault(); until(false); };
  get("before").onclick = () => until(true);
  get("wider").onclick = () => zoom(2);
  get("closer").onclick = () => zoom(0.5);
  cycleInput.onchange = () => /^\d+$/.test(cycleInput.value.trim()) ? go(Number(cycleInput.value)) : say(`${cycleInput.value} is not a cycle`);
  search.oninput = () => draw();
  document.addEventListener("keydown", key);
  window.addEventListener("hashchange", () => { readAddress(); draw(); });
  window.addEventListener("resize", () => draw());

  // The inputs of a live run.
  const inputs = design.top.signals.filter(s => s.kind === "input" && s.type !== "clock");
  get("inputs").hidden = !design.live || !inputs.length;
  for (const s of inputs) get("input").append(new Option(s.name, s.full));
  get("inputs").onsubmit = async e => {
    e.preventDefault();
    try {
      span = await ask<Span>("set", { name: get<HTMLSelectElement>("input").value, value: valueInput.value, cycle: state.cycle }, "POST");
      await draw();
    } catch (err) { say((err as Error).message); }
  };
  await draw();
}

start().catch(e => say((e as Error).message));
