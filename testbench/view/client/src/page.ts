// What all parts of the page share: the answers' types, the design, the state, questions to the server,
// and elements.

export type Signal = { name: string; full: string; width: number; kind: string; type: string; bundle?: string; file?: string; line?: number };
export type Memory = { name: string; full: string; depth: number; width: number };
export type Scope = { name: string; path: string; module: string; signals: Signal[]; mems?: Memory[]; children?: Scope[] };
export type Span = { first: number; last: number; cycle: number };
export type Design = { name: string; live?: boolean; forked?: number; watched?: boolean; dump?: boolean; unit?: string; note?: string; span: Span; top: Scope };
export type Note = { line: number; name: string; full: string; value: string };
export type Source = { files: string[]; file: string; text: string; note?: string; notes: Note[] };
export type Box = { name: string; full: string; kind: string; width?: number; lines: string[] | null; value?: string; parts?: { name: string; full: string; value: string }[]; more?: boolean; x: number; y: number; w: number; h: number };
export type Edge = { from: number; to: number; path: [number, number][]; bold?: boolean; whole?: boolean; back?: boolean };
export type Graph = { boxes: Box[] | null; edges: Edge[] | null; w: number; h: number; all: number };
export type Wave = { name: string; width: number; now: string; changes: { c: number; v: string }[] };
export type Waves = { from: number; to: number; waves: Wave[] };
export type Reason = { text: string; signal: string; cycle: number; file: string; line: number; source: string; depth: number; again?: boolean };
export type Share = { hit: number; all: number };
export type Covered = { name: string; statements: Share; branches: Share; toggles: Share; states: Share; transitions: Share; missing?: string[]; stuck?: string[] };
export type Coverage = { lines: { line: number; count: number }[]; modules: Covered[] };
export type Count = { name: string; n: number; bits: number };
export type Words = { name: string; depth: number; from: number; words: string[] };

export const get = <T extends HTMLElement>(id: string) => document.getElementById(id) as T;
export const [tree, code, drawing, rows] = ["tree", "code", "drawing", "rows"].map(id => get(id));
export const [search, cycleInput, valueInput, untilInput] = ["search", "cycle", "value", "until"].map(id => get<HTMLInputElement>(id));

export const shared = {} as { design: Design; span: Span };
export const scopes = new Map<string, Scope>();
export const signals = new Map<string, Signal>();
export const home = new Map<string, string>(); // the instance of a signal or memory
export const memories = new Map<string, Memory>();

/**
 * state is what the address holds. left is the first cycle that the waves show, or -1 for a window
 * around the cursor; folded are bundles that are one row; word is the address of a memory's first word;
 * fork is the number of a fork of the run, 0 for the run itself.
 */
export const state = {
  scope: "", sel: "", cycle: 0, waves: [] as string[], cone: false, panel: "schematic" as "schematic" | "why" | "statistics", cover: false,
  mark: -1, wide: 60, left: -1, folded: new Set<string>(), word: 0, fork: 0,
};

let asked = 0; // questions without an answer so far

/**
 * ask gets an answer of the server; an error has the server's text. The page is busy from the first
 * question until the last answer has been drawn: whoever asks continues before the browser does
 * anything else, so that a page that is not busy shows its state.
 */
export async function ask<T>(path: string, args: Record<string, string | number> = {}, method = "GET"): Promise<T> {
  const query = new URLSearchParams(Object.entries({ fork: state.fork, ...args }).map(([k, v]) => [k, String(v)]));
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
export function make(tag: string, name = "", text = ""): HTMLElement {
  const e = document.createElement(tag);
  if (name) e.className = name;
  e.textContent = text;
  return e;
}

/** shape makes an element of a drawing. */
export function shape(tag: string, attributes: Record<string, string | number>, text = ""): SVGElement {
  const e = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, String(v));
  if (text) e.textContent = text;
  return e;
}

/** say shows an error, or nothing. */
export function say(text: string) { get("message").textContent = text; get("message").classList.remove("good"); }

/** tell shows good news. */
export function tell(text: string) { say(text); get("message").classList.add("good"); }

/** clamp is the nearest cycle that the run has. */
export function clamp(cycle: number) {
  return Math.max(shared.span.first, Math.min(shared.span.last, Math.floor(cycle) || 0));
}

/** length is the number of cycles of the run. */
export const length = () => shared.span.last - shared.span.first + 1;

/** most is the number of cycles that the waves show at most: a dump's units of time are short. */
export const most = () => shared.design.dump ? Math.max(8, length()) : 2000;
