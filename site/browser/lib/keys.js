// Uses a page by keyboard alone: every control can be reached, shows its focus and can be left; interactive figures react to keys.

// Runs in the page: marks the elements that Tab should reach within the selector, and names each. One of a group of radio buttons is enough.
function controls(selector) {
  const wanted = "a[href], button, input, select, textarea, summary, [tabindex='0']";
  const found = [...document.querySelectorAll(selector)].flatMap((root) => [...root.querySelectorAll(wanted)])
    .filter((element) => element.checkVisibility({ visibilityProperty: true }) && !element.disabled && element.tabIndex >= 0);
  return found.map((element) => {
    element.dataset.control ??= String(window.controlsNamed = (window.controlsNamed ?? 0) + 1);
    const name = element.getAttribute("aria-label") ?? element.labels?.[0]?.textContent ?? element.textContent;
    const group = element.type === "radio" ? `radio ${element.name}` : element.dataset.control;
    const said = name.trim().replace(/\s+/g, " ").slice(0, 40);
    return { id: element.dataset.control, group, name: `${element.localName} "${said}"`, kind: element.type || element.localName };
  });
}

// Runs in the page: the next Tab starts at its beginning. The browser continues at the place where an element with the focus was removed.
function toTheTop() {
  const first = document.createElement("span");
  first.tabIndex = -1;
  document.body.prepend(first);
  first.focus();
  first.remove();
  scrollTo(0, 0);
}

// Runs in the page: which element has the focus, and whether the focus is visible, after two frames: in the first the layout may still move it.
async function focused() {
  for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
  const element = document.activeElement;
  if (!element || element === document.body) return null;
  const style = getComputedStyle(element), box = element.getBoundingClientRect();
  const ring = (style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0) || style.boxShadow !== "none";
  const x = Math.max(0, Math.min(innerWidth - 1, box.left + box.width / 2)), y = box.top + Math.min(box.height / 2, innerHeight / 2);
  const top = document.elementFromPoint(x, y);
  const stuck = top && top !== element && !element.contains(top) && !top.contains(element) && [...ancestors(top)].some((up) =>
    ["fixed", "sticky"].includes(getComputedStyle(up).position)) && !element.closest("[role=dialog]");
  return { id: element.dataset.control ?? null, html: element.outerHTML.slice(0, 80).replace(/\s+/g, " "), ring, hidden: box.width === 0 || box.bottom <= 0 || box.top >= innerHeight || stuck };

  function* ancestors(node) { for (let up = node; up; up = up.parentElement) yield up; }
}

// walk(page, selector, report): Tab from the page's beginning through all that is within the selector, and out again.
export async function walk(page, selector, report) {
  const wanted = await page.evaluate(controls, selector);
  const missing = new Map(wanted.map((control) => [control.group, control]));
  const groups = new Map(wanted.map((control) => [control.id, control.group]));
  await page.evaluate(toTheTop);
  let last = null, same = 0;
  // Twice as many steps as there are controls: so the loop ends on a page that traps the focus.
  for (let step = 0; step < 2 * wanted.length + 100; step++) {
    await page.keyboard.press("Tab");
    let now = await page.evaluate(focused);
    if (!now) break; // past the last one
    // A late layout may move it for a moment.
    for (let turn = 0; now.hidden && turn < 20; turn++) {
      await page.waitForTimeout(50);
      now = await page.evaluate(focused);
    }
    same = now.html === last && now.id !== null ? same + 1 : 0;
    if (same > 5) { report("keys", "Tab does not leave it", now.html); break; }
    last = now.html;
    if (!now.ring) report("keys", "one cannot see that it has the focus", now.html);
    if (now.hidden) report("keys", "has the focus out of sight", now.html);
    missing.delete(groups.get(now.id));
    if (missing.size === 0 && groups.size > 0 && now.id === null) break; // all reached, and left again
  }
  for (const control of missing.values()) report("keys", "Tab does not reach it", control.name);
}

// skip(page, report): the first Tab is a link to the content, and Enter goes there.
export async function skip(page, report) {
  await page.evaluate(toTheTop);
  await page.keyboard.press("Tab");
  const href = await page.evaluate(() => document.activeElement?.getAttribute("href"));
  if (!href?.startsWith("#")) { report("keys", "the first Tab is no link to the content", String(href)); return; }
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  const inside = await page.evaluate(() => Boolean(document.activeElement.closest("main")) || document.querySelectorAll("main a, main button, main input").length === 0);
  if (!inside) report("keys", "the link to the content does not lead into it", href);
}

// Runs in the page: the content of an interactive figure: the text of its result, and its whole picture.
function shows(selector) {
  const root = document.querySelector(selector);
  const copy = root.cloneNode(true);
  const values = [...root.querySelectorAll("input, select, textarea")].map((field) => field.type === "checkbox" ? field.checked : field.value);
  const drawn = [...root.querySelectorAll("canvas")].map((canvas) => canvas.toDataURL()).join();
  copy.querySelectorAll("form").forEach((form) => form.querySelectorAll("*").forEach((part) => { if (!part.matches("output, [aria-live]")) part.replaceWith(...part.children); }));
  const picture = copy.innerHTML + drawn;
  copy.querySelectorAll("svg, canvas").forEach((part) => part.remove());
  return { text: copy.textContent.replace(/\s+/g, " "), picture, values: values.join("|") };
}

const KEYS = {
  number: ["ArrowUp", "ArrowDown"], range: ["ArrowRight", "ArrowLeft"], "select-one": ["ArrowDown", "ArrowUp"], checkbox: ["Space"],
  radio: ["ArrowDown", "ArrowUp"], text: ["End", "Backspace"], textarea: ["End", "Backspace"], summary: [], a: [],
};

// play(page, selector, report): every control of an interactive figure, by keys: the result's text or the picture changes.
export async function play(page, selector, report) {
  const done = new Set();
  let quiet = [], texts = 0;
  for (let left = await page.evaluate(controls, selector); left.length; left = await page.evaluate(controls, selector)) {
    const next = left.find((control) => !done.has(control.id));
    if (!next) break;
    done.add(next.id);
    const changed = await press(page, selector, next);
    // "Back to the start" does nothing at the start, so try it again later. An element that only scrolls need not change anything.
    if (changed === "nothing" && next.kind !== "div") quiet.push(next);
    if (changed === "text") texts++;
  }
  for (const control of quiet) if (await press(page, selector, control) === "nothing") report("keys", "no key changes anything", control.name);
  if (texts === 0) report("keys", "no control changes the result's text", selector);
}

// Returns what changed: "text", "picture", "nothing", or "skipped" for a link to another page.
async function press(page, selector, { id, kind }) {
  const keys = KEYS[kind] ?? (kind === "button" || kind === "submit" || kind === "reset" ? ["Enter"] : ["ArrowRight", "ArrowDown"]);
  const place = page.locator(`[data-control="${id}"]`);
  if (keys.length === 0 || !await place.isVisible()) return "skipped";
  const before = await page.evaluate(shows, selector);
  await place.focus();
  for (const key of keys) {
    await page.keyboard.press(key);
    const now = await changes(page, selector, before);
    if (now !== "nothing") return now;
  }
  return "nothing";
}

// Waits up to a second, because the sentence may appear only after the typing has stopped.
async function changes(page, selector, before) {
  let seen = "nothing";
  for (let turn = 0; turn < 6; turn++) {
    const now = await page.evaluate(shows, selector);
    if (now.text !== before.text) return "text";
    if (now.picture !== before.picture) seen = "picture";
    await page.waitForTimeout(turn === 0 ? 10 : 180);
  }
  return seen;
}
