// The bytes that a page loads when it is first opened, and its budget (budgets.json).

import { readFileSync } from "node:fs";
import { kindOf } from "./site.js";

// weigh(site, page, paths): {requests, bytes, html, style, script} of the files that a page loaded, gzipped.
export function weigh(site, page, paths) {
  const weight = { requests: 0, bytes: 0, html: 0, style: 0, script: 0 };
  for (const path of new Set(paths)) {
    if (!site.files.has(path)) continue;
    const size = site.gzipped(path);
    weight.requests++;
    weight.bytes += size;
    if (path === page) weight.html += size;
    if (path.endsWith(".css")) weight.style += size;
    if (path.endsWith(".js")) weight.script += size;
  }
  return weight;
}

// readBudgets(site): an instructor's page with everything holds the solutions, too, and has a budget of its own. The page with
// everything may have so many bytes more for each lesson.
export function readBudgets(site) {
  const { instructor, ...budgets } = JSON.parse(readFileSync(new URL("../budgets.json", import.meta.url), "utf8"));
  const found = site.pages.includes("pages/instructor-guide/index.html") ? { ...budgets, ...instructor } : budgets;
  const { bytes_for_each_lesson, ...all } = found.all, lessons = site.pages.filter((page) => /^lessons\/lesson\d\d\/index\.html$/.test(page));
  return { ...found, all: { ...all, bytes: all.bytes + bytes_for_each_lesson * lessons.length } };
}

// overBudget(page, weight, budgets, report)
export function overBudget(page, weight, budgets, report) {
  const kind = kindOf(page);
  const limits = { ...budgets.every, ...budgets[kind] };
  for (const [what, most] of Object.entries(limits)) {
    if (weight[what] <= most) continue;
    const unit = what === "requests" ? "requests" : `bytes (${what}, gzipped)`;
    report("budget", `${weight[what]} ${unit}, at most ${most} for kind "${kind}"`, "make it smaller, or change site/browser/budgets.json and say why");
  }
}
