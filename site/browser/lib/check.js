// site/browser/check: see usage.

import { readFileSync } from "node:fs";
import { axeSource, BROWSING, launch } from "./browser.js";
import { overBudget, readBudgets, weigh } from "./budget.js";
import { play, skip, walk } from "./keys.js";
import { asksFor, collect, judgeLinks, mapSite } from "./links.js";
import { look, openAll } from "./looks.js";
import { print } from "./print.js";
import { copy, search } from "./search.js";
import { kindOf, openSite, serve } from "./site.js";
import { Stop, stopping } from "./stop.js";
import { options } from "./options.js";
import { watch } from "./watch.js";
import { withoutScripts } from "./without.js";

const USAGE = `Usage: site/browser/check SITE_FOLDER [--quick] [--only PAGE]... [--jobs N] [--json] [--help]

Opens every page of a built site in Chromium, over http and from file://, and tells what is wrong with it: errors in the
console, requests elsewhere, links and anchors that lead to nothing, axe's rules (light and dark, 320 and 1440 px wide, zoomed
200 %), what sticks out to the side, what is lost with scripts off or on paper, keys that reach or change nothing, search,
copying, and what it weighs (budgets.json).

  --quick      one page of each kind, and fewer views of it: for CI
  --only PAGE  this page, as lessons/lesson05/index.html or lessons/lesson05; may be given again
  --jobs N     pages at a time (default 2)
  --json       what was found as JSON: [{page, view, check, what, where}]

Exit status: 0 nothing wrong; 1 something is; 2 usage; 3 no browser, or its modules are not installed.`;

// The first page of each kind. lesson03 represents the lessons, because its page has everything that a lesson can have. The page
// with everything is too long for this check, and the other pages are similar to these.
function few(pages) {
  const chosen = new Map();
  for (const page of pages) {
    const kind = kindOf(page);
    if (["all", "other"].includes(kind)) continue;
    if (!chosen.has(kind) || page === "lessons/lesson03/index.html") chosen.set(kind, page);
  }
  return [...chosen.values()];
}

// visit(tools, path, report): all checks of one page over http.
async function visit({ browser, site, base, map, axe, budgets, quick }, path, report) {
  const context = await browser.newContext(BROWSING);
  const page = await context.newPage();
  const asked = watch(page, site, base, report);
  await page.goto(base + path, { waitUntil: "load" });
  await page.waitForTimeout(50);
  overBudget(path, weigh(site, path, asked.paths), budgets, report);
  judgeLinks(path, await page.evaluate(collect, {}), map, site, base, report);
  if (!quick || ["lesson", "slides"].includes(kindOf(path))) await print(page, kindOf(path) === "slides", report);
  await skip(page, report);
  if (!quick || kindOf(path) === "play") await walk(page, "body", report);
  for (const name of await page.evaluate(() => [...document.querySelectorAll("main [data-play]")].map((root) => root.dataset.play))) {
    if (kindOf(path) === "play") await play(page, `[data-play="${name}"]`, report);
  }
  await page.evaluate(openAll);
  for (const view of views(quick)) await look(page, axe, view, report);
  const off = await browser.newContext({ ...BROWSING, javaScriptEnabled: false });
  await page.setViewportSize(BROWSING.viewport);
  await page.goto(base + path, { waitUntil: "load" });
  await withoutScripts(page, await off.newPage(), base + path, report);
  await Promise.all([context.close(), off.close()]);
}

// With --quick each colour scheme and each width is checked once with all rules, not every combination.
function views(quick) {
  const all = ["wide", "narrow", "zoomed"].flatMap((size) => ["light", "dark"].map((scheme) => ({ size, scheme, rules: "all" })));
  if (!quick) return all;
  return [{ size: "wide", scheme: "light", rules: "all" }, { size: "narrow", scheme: "dark", rules: "all" }, { size: "zoomed", scheme: "light", rules: "none" }];
}

// The same page as a file: it must report and load nothing new.
async function visitFile({ browser, site }, path, report) {
  const context = await browser.newContext(BROWSING);
  const page = await context.newPage();
  watch(page, site, site.fileBase, report);
  await page.goto(site.fileBase + path, { waitUntil: "load" });
  await page.waitForTimeout(50);
  await context.close();
}

// Search and copying, once over http and once from a file.
async function together({ browser, site, base }, from, report) {
  const context = await browser.newContext({ ...BROWSING, permissions: base.startsWith("http") ? ["clipboard-read", "clipboard-write"] : [] });
  const page = await context.newPage();
  const asked = watch(page, site, base, report);
  await page.goto(base + from, { waitUntil: "load" });
  if (asked.paths.includes("search.js")) report("budget", "search.js is asked for before anybody searches", "");
  await copy(page, report);
  await page.goto(base + "index.html", { waitUntil: "load" });
  const terms = JSON.parse(readFileSync(new URL("../terms.json", import.meta.url), "utf8"));
  await search(page, terms, site, base, report);
  await context.close();
}

// All tasks, as [{page, view, run(report)}].
function tasks(tools, pages, { quick, only }) {
  const { site } = tools;
  const list = pages.map((page) => ({ page, view: "http", run: (report) => visit(tools, page, report) }));
  const files = quick ? pages.filter((page) => ["index", "lesson", "play"].includes(kindOf(page))) : pages;
  list.push(...files.map((page) => ({ page, view: "file", run: (report) => visitFile(tools, page, report) })));
  const from = pages.find((page) => kindOf(page) === "lesson");
  if (from && !only.length) {
    for (const [view, base] of [["http", tools.base], ["file", site.fileBase]]) {
      list.push({ page: from, view, alone: true, run: (report) => together({ ...tools, base }, from, report) });
    }
  }
  return list;
}

// Runs the tasks, `jobs` at a time; those that share the clipboard one after another, at the end. If the browser has ended,
// no page can be judged any more, and the findings so far would look like a complete result.
async function runAll(list, jobs, found, browser) {
  let done = 0;
  const progress = (page) => ++done && process.stderr.isTTY && process.stderr.write(`\r\x1b[K${done} of ${list.length}  ${page}`);
  const one = async ({ page, view, run }) => {
    const report = (check, what, where, special) => found.push({ page, view: special ? `${view}, ${special}` : view, check, what, where });
    try {
      await run(report);
    } catch (error) {
      if (!browser.isConnected()) throw new Stop(`the browser ended (memory?) at ${page}, after ${done} of ${list.length} visits: --only PAGE looks at fewer`, 3);
      report("check", `the check itself ended: ${error.message.split("\n")[0]}`, (error.stack ?? "").match(/browser\/lib\/[^)\s]+/)?.[0] ?? "");
    }
    progress(page);
  };
  const queue = list.filter((task) => !task.alone);
  await Promise.all(Array.from({ length: jobs }, async () => { while (queue.length) await one(queue.shift()); }));
  for (const task of list.filter((one) => one.alone)) await one(task);
  if (process.stderr.isTTY) process.stderr.write("\r\x1b[K");
}

// The same fault in the same place is reported once, with the first view that showed it.
function once(found) {
  const seen = new Set();
  return found.filter(({ page, check, what, where }) => {
    const key = [page, check, what, where].join("\n");
    return !seen.has(key) && seen.add(key);
  });
}

async function main() {
  const given = options(USAGE, process.argv.slice(2), { "--quick": "", "--only": "page...", "--jobs": "number", "--json": "" });
  if (given.help) return 0;
  const started = Date.now();
  const site = openSite(given.folder);
  const pages = given.only.length ? given.named(site) : given.quick ? few(site.pages) : site.pages;
  const axe = axeSource();
  const browser = await launch();
  const server = await serve(site);
  const found = [];
  try {
    const tools = { browser, site, base: server.base, axe, budgets: readBudgets(site), quick: given.quick };
    const page = await browser.newPage();
    tools.map = await mapSite(page, site, server.base);
    await page.close();
    // For pages that are not opened, links and weights come from the browser's parser.
    for (const path of given.only.length ? [] : site.pages) {
      const report = (check, what, where) => found.push({ page: path, view: "source", check, what, where });
      const read = tools.map.get(path);
      judgeLinks(path, read, tools.map, site, server.base, report);
      if (!pages.includes(path)) overBudget(path, weigh(site, path, asksFor(path, read, server.base)), tools.budgets, report);
    }
    await runAll(tasks(tools, pages, given), given.jobs ?? 2, found, browser);
  } finally {
    await browser.close();
    server.close();
  }
  const reported = once(found);
  if (given.json) console.log(JSON.stringify(reported, null, 1));
  else tell(reported, pages.length, site.pages.length, (Date.now() - started) / 1000);
  return reported.length ? 1 : 0;
}

function tell(found, looked, all, seconds) {
  for (const { page, view, check, what, where } of found) console.log(`${page} (${view}): ${check}: ${what}${where ? `: ${where}` : ""}`);
  const count = (n, word) => `${n} ${word}${n === 1 ? "" : "s"}`;
  console.log(`${looked} of ${count(all, "page")} opened in ${seconds.toFixed(1)} s: ${found.length ? count(found.length, "fault") : "nothing wrong"}`);
}

await stopping("check", main);
