// The hierarchy: instances, and the signals of the open one.

import { choosable, redrawn } from "./lists";
import { make, memories, Scope, search, shared, Signal, signals, state, tree } from "./page";
import { draw, select } from "./view";
import { bundleOf } from "./waves";

/**
 * fold folds or unfolds a bundle, here and among the waves. It reports whether anything has
 * changed.
 */
export function fold(key: string, folded: boolean) {
  if (state.folded.has(key) === folded) return false;
  if (!state.folded.delete(key)) state.folded.add(key);
  draw();
  return true;
}

/** hits are the names that the search finds, the first 200. */
export function hits() {
  const word = search.value.toLowerCase();
  return word ? [...signals.keys(), ...memories.keys()].filter(full => full.toLowerCase().includes(word)).slice(0, 200) : [];
}

/** drawTree lists the instances and the signals of the open one, or what the search finds. */
export const drawTree = (values: Record<string, string>) => redrawn(tree, () => fillTree(values));

let shownSelection = "";

function fillTree(values: Record<string, string>) {
  const at = tree.scrollTop;
  tree.replaceChildren();
  const line = (depth: number, full: string, name: string, value: string, heading: boolean) => {
    const e = make("div", full === state.sel ? "chosen" : "");
    e.append(make(heading ? "b" : "span", "", " ".repeat(2 * depth) + name), make("i", "", value));
    e.title = full;
    e.dataset.signal = full;
    e.onclick = () => select(full);
    choosable(e, "signal " + full);
    tree.append(e);
  };

  // A bundle folds here and among the waves; a click on its name shows all of it there.
  const heading = (depth: number, key: string, name: string, all: Signal[]) => {
    const e = make("div", "bundle");
    const mark = make("span", "fold", " ".repeat(2 * depth) + (state.folded.has(key) ? "▸ " : "▾ "));
    mark.onclick = event => { event.stopPropagation(); fold(key, !state.folded.has(key)); };
    e.append(mark, make("span", "", name));
    e.title = `${key}: a bundle; click to see all of it among the waves, ← and → fold it`;
    e.dataset.bundle = key;
    e.ariaExpanded = String(!state.folded.has(key));
    choosable(e, "bundle " + key);
    e.onclick = () => {
      const parts = all.filter(x => bundleOf(x.full) === key).map(x => x.full);
      state.waves = [...state.waves.filter(n => !parts.includes(n)), ...parts];
      select(parts[0]);
    };
    tree.append(e);
  };
  if (search.value) {
    for (const full of hits()) line(0, full, full, "", false);
    if (!hits().length) tree.append(make("div", "", "nothing of that name"));
    return;
  }
  const visit = (s: Scope, depth: number) => {
    line(depth, s.path, s.name, s.path === "" || s.module === s.name ? "" : s.module, true);
    if (s.path === state.scope) {
      let open = "";
      for (const x of s.signals) {
        if (x.type === "clock") continue;
        const bundle = bundleOf(x.full);
        if (bundle && bundle !== open) heading(depth + 1, bundle, x.bundle!, s.signals);
        open = bundle;
        if (!bundle) line(depth + 1, x.full, x.name, values[x.name] ?? "", false);
        else if (!state.folded.has(bundle)) line(depth + 2, x.full, x.name, values[x.name] ?? "", false);
      }
      for (const m of s.mems ?? []) line(depth + 1, m.full, m.name, `${m.depth}×${m.width}`, false);
    }
    // Below the open instance and its parents only: a design may have a hundred thousand.
    if (state.scope === s.path || s.path === "" || state.scope.startsWith(s.path + ".")) {
      for (const c of (s.children ?? []).slice(0, 500)) visit(c, depth + 1);
    }
  };
  visit(shared.design.top, 0);
  tree.scrollTop = at;

  // A selection made elsewhere comes into sight.
  if (state.sel !== shownSelection) tree.querySelector(".chosen")?.scrollIntoView({ block: "nearest" });
  shownSelection = state.sel;
}

