// The look of a page: axe's rules, elements wider than the window, elements that cover it.

import { VIEWS } from "./browser.js";

const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
const DARK_ONLY = ["color-contrast", "link-in-text-block"]; // the rules that depend on colours

// look(page, axe, {size, scheme, rules}, report): reports under this view. rules: "all" or "colours".
export async function look(page, axe, { size, scheme, rules }, report) {
  const view = size === "zoomed" ? `${scheme}, zoomed 200 %` : `${scheme}, ${VIEWS[size].width} px`;
  const say = (check, what, where) => report(check, what, where, view);
  await page.setViewportSize(VIEWS[size]);
  await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
  for (const where of await page.evaluate(sticksOut)) say("overflow", "sticks out to the side", where);
  if (size === "zoomed") for (const where of await page.evaluate(covers)) say("covered", "stays in place and covers a third of the window", where);
  if (rules === "none") return;
  if (!await page.evaluate(() => Boolean(window.axe))) await page.evaluate(axe);
  const runOnly = rules === "all" ? { type: "tag", values: TAGS } : { type: "rule", values: DARK_ONLY };
  for (const { id, help, where, detail } of await page.evaluate(violations, runOnly)) say(`axe ${id}`, detail || help, where);
}

// Runs in the page: opens closed hints, so that their content is checked, too. It also lays out elements that the browser lays out only near the
// window: without a layout they have no size of their own and hide overflow.
export function openAll() {
  document.head.appendChild(document.createElement("style")).textContent = "* { content-visibility: visible !important; }";
  for (const details of document.querySelectorAll("details")) details.open = true;
}

// Runs in the page.
async function violations(runOnly) {
  const { violations } = await window.axe.run(document, { runOnly, resultTypes: ["violations"] });
  return violations.flatMap(({ id, help, nodes }) => nodes.map((node) => {
    const contrast = node.any.find((check) => check.data?.contrastRatio)?.data;
    const detail = contrast && `contrast ${contrast.contrastRatio} of ${contrast.fgColor} on ${contrast.bgColor}, needs ${contrast.expectedContrastRatio}`;
    return { id, help, detail, where: node.target.flat().join(" ") };
  }));
}

// Runs in the page: the elements that make it wider than the window. Content that scrolls in its own box does not count.
function sticksOut() {
  const wide = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth <= wide && document.body.scrollWidth <= wide) return [];
  const boxed = (element) => {
    for (let up = element.parentElement; up && up !== document.body; up = up.parentElement) {
      if (getComputedStyle(up).overflowX !== "visible" && up.getBoundingClientRect().right <= wide + 1) return true;
    }
    return false;
  };
  const name = (element) => element.localName + (element.id ? `#${element.id}` : "") + [...element.classList].map((c) => `.${c}`).join("");
  const out = [...document.body.querySelectorAll("*")].filter((element) => {
    const box = element.getBoundingClientRect();
    return box.width > 0 && box.right > wide + 1 && !boxed(element);
  });
  // The innermost elements are the cause; the first three are enough.
  const inner = out.filter((element) => !out.some((other) => other !== element && element.contains(other)));
  const words = (element) => element.textContent.trim().replace(/\s+/g, " ").slice(0, 40);
  const reported = inner.slice(0, 3).map((element) => `${name(element)} by ${Math.ceil(element.getBoundingClientRect().right - wide)} px: ${words(element)}`);
  return reported.length ? reported : [`the page, by ${document.documentElement.scrollWidth - wide} px`];
}

// Runs in the page: fixed and sticky elements that cover a third of the window's height while the page scrolls.
function covers() {
  scrollTo(0, document.body.scrollHeight / 2);
  const found = [...document.body.querySelectorAll("*")].filter((element) => {
    const style = getComputedStyle(element), box = element.getBoundingClientRect();
    const stays = style.position === "fixed" || (style.position === "sticky" && Math.abs(box.top - parseFloat(style.top)) < 1);
    const shown = style.visibility !== "hidden" && style.opacity !== "0" && box.width > innerWidth / 2;
    return stays && shown && Math.min(box.bottom, innerHeight) - Math.max(box.top, 0) > innerHeight / 3;
  });
  scrollTo(0, 0);
  return found.map((element) => `${element.localName}${element.id ? `#${element.id}` : ""} ${element.className}`);
}
