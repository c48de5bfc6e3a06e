// The parts of a page that must remain with scripts off: all texts, and the pictures.

// Runs in the page: the texts that can be read in it, outside of what needs scripts, and the pictures of interactive figures.
function readable() {
  const own = "h1, h2, h3, h4, p, li, pre, td, th, dt, dd, figcaption, summary";
  const live = "[data-play], [role=search], search, dialog, nav, header, footer, [hidden], [aria-live], [role=status]";
  const texts = [...document.querySelectorAll(own)]
    .filter((element) => !element.closest(live) && element.checkVisibility({ visibilityProperty: true }))
    .map((element) => [...element.childNodes].map((node) => (node.nodeType === 3 ? node.data : "")).join(" ").trim().replace(/\s+/g, " "))
    .filter(Boolean);
  const picture = (root) => [...root.querySelectorAll("svg, img, canvas, table")].some((element) => element.getBoundingClientRect().height > 20);
  const dead = [...document.querySelectorAll("button, input, select")].filter((element) =>
    element.checkVisibility({ visibilityProperty: true }) && !element.closest("form[action]"));
  return {
    texts,
    without: [...document.querySelectorAll("[data-play]")].filter((root) => !picture(root)).map((root) => root.dataset.play),
    dead: dead.map((element) => element.outerHTML.slice(0, 70)),
  };
}

// withoutScripts(page, bare, url, report): compares the open page with `bare`, a page whose scripts are off.
export async function withoutScripts(page, bare, url, report) {
  const say = (what, where) => report("scripts off", what, where, "scripts off");
  await bare.goto(url, { waitUntil: "load" });
  const before = await page.evaluate(readable);
  const after = await bare.evaluate(readable);
  const there = new Set(after.texts);
  for (const text of before.texts.filter((one) => !there.has(one)).slice(0, 3)) say("a text is missing", text.slice(0, 60));
  if (after.texts.length === 0) say("nothing is left to read", "");
  for (const name of after.without) say("an interactive figure has no picture", name);
  for (const html of after.dead.slice(0, 3)) say("a control is shown that does nothing", html);
}
