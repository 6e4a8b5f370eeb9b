// The source with values at the ends of lines, or the words of a memory.

import { choosable, redrawn } from "./lists";
import { code, Coverage, get, make, Note, scopes, Share, Source, state, Words } from "./page";
import { draw, select } from "./view";

/** share is a part of a number of points. */
export const share = (name: string, s: Share) => s.all ? `${name} ${s.hit} of ${s.all}` : "";

let shownFile = "", shownSelection = "";

/** drawSource shows a file with values at the ends of lines, or the words of a selected memory. */
export const drawSource = (source: Source, words: Words | null, coverage: Coverage | null) => redrawn(code, () => fillSource(source, words, coverage));

function fillSource(source: Source, words: Words | null, coverage: Coverage | null) {
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
    const pages = make("p", "", `words ${words.from} to ${words.from + words.words.length - 1} of ${words.depth} `);
    const turn = (text: string, to: number) => {
      const button = make("button", "", text);
      button.onclick = () => { state.word = to; draw(); };
      pages.append(button);
    };
    if (words.from > 0) turn("before", Math.max(0, words.from - 1024));
    if (words.from + words.words.length < words.depth) turn("behind", words.from + words.words.length);
    const to = document.createElement("input");
    to.placeholder = "address";
    to.size = 8;
    to.onchange = () => { state.word = Math.max(0, Math.min(words.depth - 1, Number(to.value) || 0)); draw(); };
    pages.append(to);
    code.prepend(pages);
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
    if (notes.length) {
      // A line of several signals gives the next of them each time.
      e.onclick = () => select(notes[(notes.findIndex(n => n.full === state.sel) + 1) % notes.length].full);
      choosable(e, `line ${i + 1}`);
      e.append(values);
    }
    code.append(e);
  });
  code.scrollTop = at;
  const moved = shownFile !== source.file || shownSelection !== state.sel;
  [shownFile, shownSelection] = [source.file, state.sel];
  if (moved && lit) (lit as HTMLElement).scrollIntoView({ block: "center" });
}

