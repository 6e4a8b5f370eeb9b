// The causes of a value as a tree: below each row those of its own value, one deeper.

import { choosable, redrawn } from "./lists";
import { clamp, drawing, get, make, Reason, signals, state } from "./page";
import { select } from "./view";

/** openDepth is the depth whose rows are closed at first. */
const openDepth = 2;

let shown: Reason[] = [], shownFor = "";
let closed = new Set<number>(); // rows whose causes are hidden

/** drawReasons shows the causes of the selected signal's value, in the schematic's place. */
export function drawReasons(reasons: Reason[] | null) {
  get("boxes").textContent = reasons ? `why is ${state.sel} as it is in cycle ${state.cycle}?` : "select a signal to see why it has its value";

  // Another value has another tree, of which the near causes are open.
  shown = reasons ?? [];
  const now = `${state.sel} ${state.cycle} ${shown.length}`;
  if (now !== shownFor) closed = new Set([...shown.keys()].filter(i => has(i) && shown[i].depth >= openDepth));
  shownFor = now;
  redrawn(drawing, fill);
}

/** has reports whether a row has causes below it. */
const has = (i: number) => i + 1 < shown.length && shown[i + 1].depth > shown[i].depth;

function fill() {
  const [left, top] = [drawing.scrollLeft, drawing.scrollTop];
  const list = make("div", "reasons");
  list.role = "tree";
  let hidden = Infinity; // rows deeper than this are below a closed one
  shown.forEach((x, i) => {
    const e = row(x, i);
    if (x.depth <= hidden) hidden = closed.has(i) ? x.depth : Infinity;
    else e.hidden = true;
    list.append(e);
  });
  drawing.replaceChildren(list);
  drawing.scrollTo(left, top);
}

/** row is a cause with its cycle and its line of source. A click goes to its signal and cycle. */
function row(x: Reason, i: number) {
  const e = make("div", signals.has(x.signal) ? "has" : "");
  const mark = make("span", "fold", has(i) ? closed.has(i) ? "▸ " : "▾ " : "  ");
  const cause = make("span", x.again ? "cause again" : "cause", " ".repeat(2 * x.depth));
  cause.append(mark, x.text);
  e.append(make("span", "number", String(x.cycle)), cause);
  if (x.again) e.append(make("span", "from", "see its other row"));
  else if (x.line) e.append(make("span", "from", `${x.file.split("/").pop()}:${x.line}: ${x.source}`));

  choosable(e, `reason ${i}`, "treeitem");
  e.ariaLevel = String(x.depth + 1);
  if (has(i)) e.ariaExpanded = String(!closed.has(i));
  e.dataset.row = String(i);
  if (signals.has(x.signal)) e.dataset.signal = x.signal;
  mark.onclick = event => { if (has(i)) { event.stopPropagation(); toggle(i); } };
  e.onclick = () => {
    if (!signals.has(x.signal)) { toggle(i); return; }
    state.cycle = clamp(x.cycle);
    select(x.signal);
  };
  return e;
}

/** toggle opens or closes a row. */
function toggle(i: number) {
  if (!has(i)) return;
  if (!closed.delete(i)) closed.add(i);
  redrawn(drawing, fill);
}

/**
 * reasonKey is an arrow to the side: it opens a row and goes to its first cause, or closes it
 * and goes to what it is a cause of.
 */
export function reasonKey(key: string, at: HTMLElement) {
  if (at.dataset.row === undefined || key !== "ArrowRight" && key !== "ArrowLeft") return false;
  const i = Number(at.dataset.row), focus = (k: number) => drawing.querySelector<HTMLElement>(`[data-row="${k}"]`)?.focus();
  if (key === "ArrowRight") {
    if (closed.has(i)) toggle(i);
    else if (has(i)) focus(i + 1);
  } else if (has(i) && !closed.has(i)) toggle(i);
  else focus(shown.findLastIndex((x, k) => k < i && x.depth < shown[i].depth));
  return true;
}
