// Lists for the keyboard: a panel is one stop of Tab, arrows go up and down its rows, Enter and
// space choose one as a click does.

/**
 * choosable makes an element a row of its panel's list. The key finds it again when the panel
 * has been drawn anew.
 */
export function choosable(e: Element, key: string, role = "button") {
  e.setAttribute("data-key", key);
  e.setAttribute("tabindex", "-1");
  e.setAttribute("role", role);
}

/** rowsOf are the rows of a panel that are in sight or can be scrolled there. */
const rowsOf = (panel: Element) => [...panel.querySelectorAll<HTMLElement>("[data-key]")].filter(e => !e.hidden);

/** stop makes a row the one that Tab comes to. */
function stop(panel: Element, row: Element | undefined) {
  panel.querySelectorAll('[data-key][tabindex="0"]').forEach(e => e.setAttribute("tabindex", "-1"));
  row?.setAttribute("tabindex", "0");
}

/** first puts the focus on the first row of a panel. */
export const first = (panel: Element) => rowsOf(panel)[0]?.focus();

/** chooseRow is a click on a row, which may be a shape. */
const chooseRow = (row: Element) => row.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));

/**
 * walkable connects the keys of a panel. own is asked first and reports whether it has done what the
 * key is for; above is called by an arrow up from the first row.
 */
export function walkable(panel: HTMLElement, own: (key: string, row: HTMLElement) => boolean = () => false, above = () => { }) {
  panel.addEventListener("focusin", e => {
    const row = (e.target as Element).closest("[data-key]");
    if (row) stop(panel, row);
  });
  panel.addEventListener("keydown", e => {
    const row = e.target as HTMLElement;
    if (row.getAttribute("data-key") === null || e.ctrlKey || e.metaKey || e.altKey) return;
    const list = rowsOf(panel), at = list.indexOf(row);
    if (own(e.key, row)) { /* done */ }
    else if (e.key === "ArrowDown") list[at + 1]?.focus();
    else if (e.key === "ArrowUp") at > 0 ? list[at - 1].focus() : above();
    else if (e.key === "Enter" || e.key === " ") chooseRow(row);
    else return;
    e.preventDefault();
    e.stopPropagation();
  });
}

/**
 * redrawn fills a panel anew and leaves the focus on the row that had it, or on the chosen one
 * if that is gone.
 */
export function redrawn(panel: HTMLElement, fill: () => void) {
  const focused = document.activeElement, had = panel.contains(focused) ? focused!.getAttribute("data-key") : null;
  fill();
  const list = rowsOf(panel), same = list.find(e => e.getAttribute("data-key") === had);
  const to = same ?? list.find(e => e.closest(".chosen")) ?? list[0];
  stop(panel, to);
  if (had !== null) to?.focus({ preventScroll: same !== undefined });
}
