// The schematic, and in its place the numbers of an instance.

import { choosable, redrawn } from "./lists";
import { Box, Count, drawing, get, Graph, make, shape, shared, state } from "./page";
import { select } from "./view";

/** drawStatistics lists the numbers of the open instance with all below it. */
export function drawStatistics(list: Count[]) {
  get("boxes").textContent = `${state.scope || shared.design.name} with all below it`;
  const table = make("div", "reasons");
  for (const x of list) {
    const e = make("div");
    e.append(make("span", "number", String(x.n)), make("span", "cause", x.name), make("span", "from", x.bits ? `${x.bits} bits` : ""));
    table.append(e);
  }
  drawing.replaceChildren(table);
}

let shownScope: string | null = null;

/** has reports whether a box is that of a signal, or of a bundle with it. */
const has = (b: Box, full: string) => full !== "" && (b.full === full || (b.parts ?? []).some(p => p.full === full));

/** drawSchematic draws the boxes where the server put them. */
export const drawSchematic = (g: Graph) => redrawn(drawing, () => fillSchematic(g));

function fillSchematic(g: Graph) {
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
    const lit = has(boxes[e.from], state.sel) || has(boxes[e.to], state.sel);
    svg.append(shape("path", { d, class: `edge${e.whole ? " whole" : e.bold ? " bold" : ""}${e.back ? " back" : ""}${lit ? " lit" : ""}` }));
  }
  let chosen: SVGElement | null = null;
  for (const b of boxes) {
    const group = shape("g", { class: `box ${b.kind}${has(b, state.sel) ? " chosen" : ""}`, transform: `translate(${b.x},${b.y})`, "data-signal": b.full });
    group.append(shape("title", {}, `${b.kind} ${b.full}${b.width ? `, ${b.width} bits` : ""}`), shape("rect", { width: b.w, height: b.h }));
    group.append(shape("text", { x: 10, y: 18, "font-weight": "bold" }, b.name));
    if (b.value !== undefined) {
      const value = b.value.length > 18 ? b.value.slice(0, 17) + "…" : b.value;
      group.append(shape("text", { x: b.w - 10, y: 18, "text-anchor": "end", class: "shown" }, value));
    }
    (b.lines ?? []).forEach((l, i) => group.append(shape("text", { x: 10, y: 36 + 16 * i, class: "faint" }, l)));
    (b.parts ?? []).forEach((p, i) => {
      const y = 36 + 16 * i;
      const name = shape("text", { x: 10, y, class: p.full === state.sel ? "part lit" : "part", "data-signal": p.full }, p.name);
      name.addEventListener("click", e => { e.stopPropagation(); select(p.full); });
      choosable(name, `part ${p.full} ${i}`);
      group.append(name, shape("text", { x: b.w - 10, y, "text-anchor": "end", class: "shown" }, p.value.length > 18 ? p.value.slice(0, 17) + "…" : p.value));
    });
    if (b.more) {
      const more = shape("text", { x: 1, y: b.h - 2, class: "shown more" }, "+");
      more.append(shape("title", {}, "show what it depends on"));
      choosable(more, "more " + b.full);
      more.addEventListener("click", e => { e.stopPropagation(); state.cone = true; select(b.full); });
      group.append(more);
    }
    choosable(group, `${b.kind} ${b.full}`);
    group.addEventListener("click", () => select(b.full));
    svg.append(group);
    if (has(b, state.sel) || b === boxes[0] && shownScope !== state.scope) chosen = group;
  }
  shownScope = state.scope;
  const [x, y] = [drawing.scrollLeft, drawing.scrollTop];
  drawing.replaceChildren(svg);
  drawing.scrollTo(x, y);
  if (chosen) (chosen as SVGElement).scrollIntoView({ block: "nearest", inline: "nearest" });
}

