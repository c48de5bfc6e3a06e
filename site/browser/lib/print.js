// The printed page: all hints are open, code and tables are not cut off, no sheet is empty.

import { inflateSync } from "node:zlib";

// The area of A4 within margins of 1 cm, in CSS pixels.
const A4 = { width: 718, height: 1047 };

// print(page, landscape, report): to be called before hints are opened. Slides are printed in landscape, as their style says.
export async function print(page, landscape, report) {
  const say = (check, what, where) => report(check, what, where, "print");
  await page.setViewportSize(landscape ? { width: A4.height, height: A4.width } : A4);
  await page.emulateMedia({ media: "print", colorScheme: "light", reducedMotion: "reduce" });
  for (const { what, where } of await page.evaluate(lost)) say("print", what, where);
  const sheets = sheetsOf(await page.pdf({ format: "A4", landscape, margin: { top: "1cm", bottom: "1cm", left: "1cm", right: "1cm" } }));
  if (sheets.length === 0) say("print", "the PDF has no page", "");
  sheets.forEach((marks, i) => { if (marks === 0) say("print", "an empty sheet", `sheet ${i + 1} of ${sheets.length}`); });
  await page.emulateMedia({ media: null, colorScheme: "light", reducedMotion: "reduce" });
  return sheets.length;
}

// Runs in the page under print: hints that stay closed, and content wider than its box, because paper cannot scroll.
function lost() {
  const words = (element) => element.textContent.trim().replace(/\s+/g, " ").slice(0, 50);
  const wrong = [];
  for (const details of document.querySelectorAll("details:not([open])")) {
    if (!details.parentElement.checkVisibility()) continue;
    const inside = [...details.children].find((child) => child.localName !== "summary");
    // Content that the page hides on paper on purpose is not a closed hint.
    if (inside && getComputedStyle(details).display !== "none" && !(inside.checkVisibility() && inside.getBoundingClientRect().height > 0)) {
      wrong.push({ what: "stays closed on paper", where: words(details.querySelector("summary") ?? details) });
    }
  }
  for (const box of document.querySelectorAll("main pre, main table, main figure, main svg, main p, main div")) {
    const scrolls = box.scrollWidth > box.clientWidth + 1 && getComputedStyle(box).overflowX !== "visible" && box.clientWidth > 1;
    const beyond = box.getBoundingClientRect().right > innerWidth + 1 && box.checkVisibility();
    if (scrolls || beyond) wrong.push({ what: `is cut off on paper: ${box.localName} is wider than the sheet`, where: words(box) });
  }
  return wrong;
}

// sheetsOf(pdf): for each page of a PDF as Chromium writes it, how many marks (letters, strokes, fills, images) it has.
export function sheetsOf(pdf) {
  const text = pdf.toString("latin1");
  const objects = new Map();
  for (const match of text.matchAll(/(?:^|\n)(\d+) 0 obj\n/g)) objects.set(match[1], match.index + match[0].length);
  const body = (number) => {
    const start = objects.get(number);
    const from = text.indexOf("stream\n", start) + 7;
    const raw = pdf.subarray(from, text.indexOf("\nendstream", from));
    return text.slice(start, from).includes("/FlateDecode") ? inflateSync(raw).toString("latin1") : raw.toString("latin1");
  };
  return [...text.matchAll(/<<\/Type \/Page\n[^]*?\/Contents (\d+) 0 R/g)].map((match) =>
    (body(match[1]).match(/\b(Tj|TJ|S|Do|sh)\b/g) ?? []).length);
}
