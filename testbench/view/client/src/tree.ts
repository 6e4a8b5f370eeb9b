// The hierarchy: instances, and the signals of the open one.

import { make, memories, Scope, search, shared, Signal, signals, state, tree } from "./page";
import { draw, select } from "./view";
import { bundleOf } from "./waves";

/** drawTree lists the instances and the signals of the open one, or what the search finds. */
export function drawTree(values: Record<string, string>) {
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

  // A bundle folds here and among the waves; a click on its name shows all of it there.
  const heading = (depth: number, key: string, name: string, all: Signal[]) => {
    const e = make("div", "bundle");
    const mark = make("span", "fold", " ".repeat(2 * depth) + (state.folded.has(key) ? "▸ " : "▾ "));
    mark.onclick = event => { event.stopPropagation(); if (!state.folded.delete(key)) state.folded.add(key); draw(); };
    e.append(mark, make("span", "", name));
    e.title = `${key}: a bundle; click to see all of it among the waves`;
    e.onclick = () => {
      const parts = all.filter(x => bundleOf(x.full) === key).map(x => x.full);
      state.waves = [...state.waves.filter(n => !parts.includes(n)), ...parts];
      select(parts[0]);
    };
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
}

