// site/browser/shots: see usage.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BROWSING, launch } from "./browser.js";
import { openSite, serve } from "./site.js";
import { options } from "./options.js";
import { Stop, stopping } from "./stop.js";

const USAGE = `Usage: site/browser/shots SITE_FOLDER OUT [--only PAGE]... [--views LIST] [--at ID] [--help]

Takes pictures of pages of a built site into the folder OUT: light, dark (1280 x 900 px), phone (390 px wide, the whole page down
to 3000 px) and print (PDF, and a picture as on paper). Without --only: the first page, a lesson, an interactive figure.

  --only PAGE   this page, as lessons/lesson05; may be given again
  --views LIST  some of light,dark,phone,print,whole with commas (whole: all of the page in light)
  --at ID       scroll to the element with this id first

Exit status: 0 taken; 2 usage; 3 no browser.`;

const VIEWS = {
  light: { viewport: { width: 1280, height: 900 } },
  dark: { viewport: { width: 1280, height: 900 }, colorScheme: "dark" },
  phone: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, tall: 1600 },
  whole: { viewport: { width: 1280, height: 900 }, tall: 8000 },
  print: { viewport: { width: 718, height: 1015 } },
};

// take(browser, url, file, view, at): one picture; with print the PDF too.
async function take(browser, url, file, name, at) {
  const { tall, ...view } = VIEWS[name];
  const context = await browser.newContext({ ...BROWSING, ...view });
  const page = await context.newPage();
  if (name === "print") await page.emulateMedia({ media: "print" });
  await page.goto(at ? `${url}#${at}` : url, { waitUntil: "load" });
  if (name === "print") writeFileSync(`${file}.pdf`, await page.pdf({ format: "A4", printBackground: true, margin: { top: "1cm", bottom: "1cm", left: "1cm", right: "1cm" } }));
  const height = tall ? Math.min(tall, await page.evaluate(() => document.documentElement.scrollHeight)) : view.viewport.height;
  if (tall && !at) await page.setViewportSize({ width: view.viewport.width, height });
  await page.screenshot({ path: `${file}.png` });
  await context.close();
}

async function main() {
  const given = options(USAGE, process.argv.slice(2), { "--only": "page...", "--views": "text", "--at": "text" });
  if (given.help) return 0;
  const [out] = given.rest;
  if (!out) throw new Stop("name a folder for the pictures, after the site's; --help tells more");
  const views = given.views?.split(",") ?? ["light", "dark", "phone", "print"];
  const unknown = views.find((view) => !(view in VIEWS));
  if (unknown) throw new Stop(`unknown view ${unknown}; there are ${Object.keys(VIEWS).join(", ")}`);
  const site = openSite(given.folder);
  if (!given.only.length) given.only = ["index.html", ...["lessons/", "play/"].map((start) => site.pages.find((page) => page.startsWith(start))).filter(Boolean)];
  const pages = given.named(site);
  mkdirSync(out, { recursive: true });
  const browser = await launch();
  const server = await serve(site);
  try {
    for (const page of pages) {
      for (const view of views) {
        const file = join(out, `${page.replace(/(^|\/)index\.html$/, "").replaceAll("/", "-") || "index"}-${view}`);
        await take(browser, server.base + page, file, view, given.at);
        console.log(`${file}.png`);
      }
    }
  } finally {
    await browser.close();
    server.close();
  }
  return 0;
}

await stopping("shots", main);
