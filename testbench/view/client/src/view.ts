// The page of etch view. Its state is one selection, one cycle, one instance and the list of waves,
// held in the address behind the #; a change of the state asks the server for the values and draws
// all panels again.

import {
  ask, clamp, code, Count, Coverage, cycleInput, Design, drawing, get, Graph, home, make, memories, most, Reason, rows, say, Scope, scopes, search, shared,
  signals, Source, Span, state, tell, tree, untilInput, valueInput, Words,
} from "./page";
import { drawSchematic, drawStatistics } from "./drawing";
import { first, walkable } from "./lists";
import { drawReasons, reasonKey } from "./reasons";
import { drawSource } from "./source";
import { drawTree, fold, hits } from "./tree";
import { close, drawWaves, edge, follow, pan, wanted, wheel, zoom } from "./waves";

/** writeAddress puts the state into the address; readAddress is its reverse. */
export function writeAddress() {
  const q = new URLSearchParams({ scope: state.scope, sel: state.sel, cycle: String(state.cycle), waves: state.waves.join(","), wide: String(state.wide) });
  if (state.cone) q.set("cone", "1");
  if (state.panel !== "schematic") q.set("panel", state.panel);
  if (state.left >= 0) q.set("left", String(Math.round(state.left)));
  if (state.folded.size) q.set("fold", [...state.folded].join(","));
  if (state.word) q.set("word", String(state.word));
  if (state.cover) q.set("cover", "1");
  if (state.mark >= 0) q.set("mark", String(state.mark));
  if (state.fork) q.set("fork", String(state.fork));
  history.replaceState(null, "", "#" + q);
}

/** forkOf is the number of the fork in the address. */
const forkOf = () => Math.max(0, Math.floor(Number(new URLSearchParams(location.hash.slice(1)).get("fork")) || 0));

function readAddress() {
  const q = new URLSearchParams(location.hash.slice(1));
  const scope = q.get("scope") ?? "";
  state.scope = scopes.has(scope) ? scope : "";
  const sel = q.get("sel") ?? "";
  state.sel = signals.has(sel) || memories.has(sel) || scopes.has(sel) ? sel : "";
  state.cycle = clamp(Number(q.get("cycle") ?? shared.span.cycle));
  state.wide = Math.max(8, Math.min(most(), Number(q.get("wide")) || (shared.design.dump ? most() : 60)));
  state.cone = q.has("cone");
  const panel = q.get("panel");
  state.panel = panel === "why" || panel === "statistics" ? panel : "schematic";
  state.left = q.has("left") ? clamp(Number(q.get("left"))) : -1;
  state.folded = new Set((q.get("fold") ?? "").split(",").filter(n => n));
  state.word = Math.max(0, Math.floor(Number(q.get("word")) || 0));
  state.cover = q.has("cover");
  state.mark = q.has("mark") ? Number(q.get("mark")) || 0 : -1;
  state.waves = q.has("waves") ? q.get("waves")!.split(",").filter(n => signals.has(n)) : firstWaves();
}

/** firstWaves are the ports and registers of the top, which a newcomer sees. */
function firstWaves() {
  if (shared.design.dump) return [...signals.keys()].slice(0, 12);
  return shared.design.top.signals.filter(s => s.kind !== "wire" && s.kind !== "check" && s.type !== "clock").slice(0, 12).map(s => s.full);
}

/** select makes a signal, memory or instance the selected one in all panels. */
export function select(full: string) {
  if (scopes.has(full) && !signals.has(full)) state.scope = full;
  else {
    state.scope = home.get(full) ?? state.scope;
    if (signals.has(full) && !state.waves.includes(full)) state.waves.push(full);
  }
  if (full !== state.sel) state.word = 0;
  state.sel = full;
  draw();
}

/**
 * go moves the cursor; a live run makes the cycles that it lacks. The cursor moves at once, so that
 * a key that is pressed again before the answer goes on from there.
 */
export async function go(cycle: number) {
  const before = state.cycle;
  try {
    if (cycle < shared.span.first || !shared.design.live && cycle > shared.span.last) {
      const noun = shared.design.dump ? "time" : "cycle";
      throw new Error(`${noun} ${cycle}: there are ${noun}s ${shared.span.first} to ${shared.span.last}`);
    }
    state.cycle = cycle;
    if (cycle > shared.span.last) {
      const longer = await ask<Span>("run", { to: cycle }, "POST");
      if (longer.last > shared.span.last) shared.span = longer;
    }
    if (state.cycle <= shared.span.last) await draw(); // else a later call will
  } catch (e) {
    state.cycle = clamp(Math.min(before, shared.span.last));
    say((e as Error).message);
  }
}

/** until goes to the next cycle in which the condition holds, or to the one before. */
async function until(back: boolean) {
  if (!untilInput.value.trim()) { untilInput.focus(); return; }
  try {
    const args: Record<string, string | number> = { condition: untilInput.value, cycle: state.cycle };
    if (back) args.back = 1;
    shared.span = await ask<Span>("until", args, "POST");
    state.cycle = shared.span.cycle;
    await draw();
  } catch (e) { say((e as Error).message); }
}

/**
 * gtkwave has the server write the waves, which a dump has already, and the rows of the page for
 * GTKWave.
 */
async function gtkwave() {
  try {
    const files = await ask<{ waves?: string; save: string }>("gtkwave", { signals: state.waves.join(",") }, "POST");
    tell(`wrote ${files.waves ? `${files.waves} and ` : ""}${files.save}: gtkwave ${files.save}`);
  } catch (e) { say((e as Error).message); }
}

let drawn = 0;

/** Answer is what the server has answered, or the error in its place. */
type Answer<T> = T | Error;

/**
 * heard turns a rejected question into its error, so that the other panels are drawn without it.
 */
const heard = <T>(question: Promise<T>): Promise<Answer<T>> => question.catch(e => e instanceof Error ? e : new Error(String(e)));

/** panel draws an answer, or its error in the same place. */
function panel<T>(place: HTMLElement, answer: Answer<T>, show: (answer: T) => void) {
  if (answer instanceof Error) place.replaceChildren(make("pre", "errors", answer.message));
  else show(answer);
}

/** draw asks for everything at the present state; an answer that comes behind a newer call is dropped. */
export async function draw() {
  const mine = ++drawn;
  follow();
  writeAddress();
  const { scope, cycle, sel } = state;
  const memory = memories.get(sel);
  const [values, source, below, waves, words] = await Promise.all([
    heard(ask<Record<string, string>>("values", { scope, cycle })), heard(askSource()), heard(askBelow()), heard(wanted()),
    heard(memory ? ask<Words>("memory", { name: sel, cycle, from: Math.min(state.word, memory.depth - 1) }) : Promise.resolve(null)),
  ]);
  const coverage = await heard(state.cover && !(source instanceof Error) ? ask<Coverage>("coverage", { file: source.file }) : Promise.resolve(null));
  if (mine !== drawn) return;

  // Each panel shows its own error; the first one stands above them too.
  const wrong = [values, source, words, coverage, below, waves].find(x => x instanceof Error);
  say(wrong instanceof Error ? wrong.message.split("\n")[0] : "");
  cycleInput.value = String(cycle);
  get("of").textContent = `of ${shared.span.last}` + (shared.design.forked === undefined ? "" : `, forked at ${shared.design.forked}`);
  drawTree(values instanceof Error ? {} : values);
  panel(code, words instanceof Error ? words : source, s => drawSource(s, words as Words | null, coverage instanceof Error ? null : coverage));
  offer();
  panel(drawing, below, show => show());
  for (const id of ["why", "statistics"]) get(id).classList.toggle("on", state.panel === id);
  get("cover").classList.toggle("on", state.cover);
  panel(rows, waves, drawWaves);
  document.body.dataset.ready = `${cycle} ${sel}`;
  document.body.dataset.wide = String(innerWidth);
}

/**
 * askSource asks for the file that declares the selected signal, or for the instance's main one.
 */
function askSource() {
  const { scope, cycle, sel } = state;
  const file = signals.get(sel)?.file;
  return ask<Source>("source", file && home.get(sel) === scope ? { scope, cycle, file } : { scope, cycle });
}

/** askBelow asks for what the schematic's place shows, and gives the function that draws it. */
async function askBelow(): Promise<() => void> {
  const { scope, cycle, sel } = state;
  if (state.panel === "why") {
    const reasons = signals.has(sel) ? await ask<Reason[]>("why", { name: sel, cycle }) : null;
    return () => drawReasons(reasons);
  }
  if (state.panel === "statistics") {
    const numbers = await ask<Count[]>("statistics", { scope });
    return () => drawStatistics(numbers);
  }
  const graph = await ask<Graph>("schematic", state.cone ? { scope, cycle, focus: sel, cone: 1 } : { scope, cycle, focus: sel });
  return () => drawSchematic(graph);
}

/** controls shows what a live run can set, and for a recorded run how it becomes one. */
function controls() {
  const inputs = shared.design.top.signals.filter(s => s.kind === "input" && s.type !== "clock");
  get("inputs").hidden = !shared.design.live || !inputs.length;
  get("fork").hidden = shared.design.live === true || shared.design.dump === true;
  get("input").replaceChildren(...inputs.map(s => new Option(s.name, s.full)));
}

/** fork makes a live run of a recorded one, from the cursor on. The address has its number from now on. */
async function fork() {
  try {
    const made = await ask<Span & { fork: number }>("fork", { cycle: state.cycle }, "POST");
    [shared.span, state.fork] = [made, made.fork];
    [shared.design.live, shared.design.forked] = [true, state.cycle];
    controls();
    await draw();
  } catch (e) { say((e as Error).message); }
}

/**
 * set gives an input or register the value of the form at the cursor. A fork begins anew there,
 * if it began later.
 */
async function set(e: Event) {
  e.preventDefault();
  try {
    shared.span = await ask<Span>("set", { name: get<HTMLSelectElement>("input").value, value: valueInput.value, cycle: state.cycle }, "POST");
    if (shared.design.forked !== undefined) shared.design.forked = Math.min(shared.design.forked, state.cycle);
    await draw();
  } catch (err) { say((err as Error).message); }
}

/** offer adds the selected register to what a live run can set. */
function offer() {
  const input = get<HTMLSelectElement>("input");
  const chosen = signals.get(state.sel);
  input.querySelector("option.register")?.remove();
  if (!shared.design.live || chosen?.kind !== "register") return;
  const option = new Option(chosen.full + " (register)", chosen.full, false, true);
  option.className = "register";
  input.append(option);
  input.value = chosen.full;
  get("inputs").hidden = false;
}

/** step goes to the next cycle or the one before; in a dump, and with shift, to the next change of the selected signal. */
function step(back: boolean, far: boolean) {
  if (far || shared.design.dump) edge(back);
  else go(state.cycle + (back ? -1 : 1));
}

/** show puts a panel in the schematic's place, or the schematic back. */
function show(panel: "why" | "statistics") {
  state.panel = state.panel === panel ? "schematic" : panel;
  draw();
}

/** listen loads the page again when the server has another design, and shows the errors of one that does not build. */
function listen() {
  new EventSource("api/events").onmessage = e => {
    const notice = JSON.parse(e.data) as { kind: string; text: string };
    if (notice.kind === "design") location.reload();
    else errors(notice.text);
  };
}

/** errors shows the errors of a design in the source's place. */
function errors(text: string, title = "the changed source does not build") {
  get("file").textContent = title;
  code.replaceChildren(make("pre", "errors", text));
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
    ArrowLeft: () => step(true, e.shiftKey), ArrowRight: () => step(false, e.shiftKey),
    ArrowUp: () => move(-1), ArrowDown: () => move(1), Home: () => go(shared.span.first), End: () => go(shared.span.last),
    "/": () => search.select(), g: () => cycleInput.select(), c: () => get("cone").click(), w: () => get("why").click(), v: () => get("cover").click(), s: () => get("statistics").click(),
    "[": () => pan(-state.wide / 4), "]": () => pan(state.wide / 4), u: () => untilInput.select(), i: () => valueInput.select(), f: () => { if (!get("fork").hidden) fork(); }, n: () => until(false), N: () => until(true),
    m: () => { state.mark = state.mark === state.cycle ? -1 : state.cycle; draw(); }, "+": () => zoom(0.5), "-": () => zoom(2),
  };
  if (keys[e.key]) { e.preventDefault(); keys[e.key](); }
}

/** lists connects the rows of the panels with the keyboard. */
function lists() {
  walkable(tree, (key, row) => row.dataset.bundle !== undefined && (key === "ArrowLeft" || key === "ArrowRight") && fold(row.dataset.bundle, key === "ArrowLeft"),
    () => { if (search.value) search.focus(); });
  walkable(code);
  walkable(drawing, reasonKey);
  walkable(rows, (key, row) => key === "Delete" && close(row.dataset.key!));

  // From the search, Enter takes the first hit and an arrow goes to the hits.
  search.addEventListener("keydown", e => {
    if (e.key === "Enter" && hits().length) select(hits()[0]);
    else if (e.key === "ArrowDown") first(tree);
    else return;
    e.preventDefault();
  });
}

/** start reads the design and connects the controls. */
async function start() {
  state.fork = forkOf();
  shared.design = await ask<Design>("design");
  shared.span = shared.design.span;
  const visit = (s: Scope) => {
    scopes.set(s.path, s);
    for (const x of s.signals) { signals.set(x.full, x); home.set(x.full, s.path); }
    for (const m of s.mems ?? []) { memories.set(m.full, m); home.set(m.full, s.path); }
    (s.children ?? []).forEach(visit);
  };
  visit(shared.design.top);
  document.title = `${shared.design.name} · etch view`;
  get("title").textContent = shared.design.name;
  document.body.classList.toggle("dump", shared.design.dump === true);
  if (shared.design.dump) get("noun").textContent = "time";
  readAddress();

  get("begin").onclick = () => go(shared.span.first);
  get("end").onclick = () => go(shared.span.last);
  get("back").onclick = () => step(true, false);
  get("next").onclick = () => step(false, false);
  get("cone").onclick = () => { state.cone = !state.cone; draw(); };
  get("why").onclick = () => show("why");
  get("statistics").onclick = () => show("statistics");
  get("cover").onclick = () => { state.cover = !state.cover; draw(); };
  get("gtkwave").onclick = gtkwave;
  get("find").onsubmit = e => { e.preventDefault(); until(false); };
  get("before").onclick = () => until(true);
  get("wider").onclick = () => zoom(2);
  get("closer").onclick = () => zoom(0.5);
  cycleInput.onchange = () => /^\d+$/.test(cycleInput.value.trim()) ? go(Number(cycleInput.value)) : say(`${cycleInput.value} is not a cycle`);
  search.oninput = () => draw();
  document.addEventListener("keydown", key);
  window.addEventListener("hashchange", () => { if (forkOf() !== state.fork) location.reload(); else { readAddress(); draw(); } });
  window.addEventListener("resize", () => draw());
  lists();
  rows.addEventListener("wheel", wheel, { passive: false });
  if (shared.design.watched) listen();

  get("fork").onclick = fork;
  get("inputs").onsubmit = set;
  controls();
  await draw();
}

// A design that does not build has its errors for a page, until it does.
start().catch(e => {
  const text = (e as Error).message;
  say(text.split("\n")[0]);
  if (shared.design) return;

  // Another fork is one more address away.
  if (state.fork) {
    errors(text, "no such fork");
    document.body.dataset.ready = "broken";
    window.addEventListener("hashchange", () => location.reload());
    return;
  }
  errors(text);
  document.body.dataset.ready = "broken";
  listen();
});
