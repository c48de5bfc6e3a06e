// site/browser/measure: see usage.

import os from "node:os";
import { BROWSING, launch } from "./browser.js";
import { weigh } from "./budget.js";
import { kindOf, openSite, serve } from "./site.js";
import { options } from "./options.js";
import { stopping } from "./stop.js";
import { watch } from "./watch.js";

const USAGE = `Usage: site/browser/measure SITE_FOLDER [--build SECONDS] [--json] [--help]

Prints, as Markdown, what each page of a built site weighs when it is first opened (gzipped, by the files that Chromium asks for),
how many requests it makes, and when it first paints: here, and on a slow phone (processor 4 times slower, 1.6 Mbit/s, 150 ms away).

  --build SECONDS  also say that building took so long
  --json           the same as JSON

Exit status: 0 measured; 2 usage; 3 no browser.`;

// The same slowdown as Lighthouse uses for a phone.
const SLOW = { offline: false, latency: 150, downloadThroughput: 1.6e6 / 8, uploadThroughput: 750e3 / 8 };

// measurePage(browser, site, base, path): {page, kind, weight, paint_ms, slow_paint_ms}
async function measurePage(browser, site, base, path) {
  const asked = [];
  const paint = async (slow) => {
    const context = await browser.newContext({ ...BROWSING, viewport: slow ? { width: 390, height: 844 } : BROWSING.viewport });
    const page = await context.newPage();
    if (slow) {
      const session = await context.newCDPSession(page);
      await session.send("Network.enable");
      await session.send("Network.emulateNetworkConditions", SLOW);
      await session.send("Emulation.setCPUThrottlingRate", { rate: 4 });
    } else asked.push(watch(page, site, base, () => {}));
    await page.goto(base + path, { waitUntil: "load" });
    await page.waitForTimeout(100);
    const time = await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? null);
    await context.close();
    return time;
  };
  const [fast, slow] = [await paint(false), await paint(true)];
  return { page: path, kind: kindOf(path), ...weigh(site, path, asked[0].paths), paint_ms: Math.round(fast), slow_paint_ms: Math.round(slow) };
}

// device(browser): the machine and the browser of the measurement.
const device = (browser) => `${os.cpus()[0]?.model.trim() ?? "unknown processor"}, ${os.cpus().length} cores, Node ${process.versions.node}, Chromium ${browser.version()}`;

function markdown({ date, device, build_s, search_bytes, pages }) {
  const kb = (bytes) => (bytes / 1000).toFixed(1);
  const most = (what) => pages.reduce((a, b) => (b[what] > a[what] ? b : a));
  const row = (name, what, unit) => `| ${name} | ${unit(most(what)[what])} | ${most(what).page} |`;
  return [
    `# The site, measured on ${date}`, "",
    `With ${device}. Made by \`site/browser/measure\`. Sizes are gzipped (level 9), in kB of 1000 bytes, of all files that a page asks for when it is`,
    `first opened. First paint is that of one load, from this machine's own server: as it is, and as on a slow phone (processor 4 times slower, 1.6 Mbit/s, 150 ms away).`, "",
    ...(build_s ? [`Building took ${build_s} s for ${pages.length} pages.`, ""] : []),
    `| most | | by |`, "|---|---|---|",
    row("kB", "bytes", kb), row("kB of script", "script", kb), row("kB of style", "style", kb), row("requests", "requests", String),
    row("first paint on a slow phone, ms", "slow_paint_ms", String), "",
    `Search asks for ${kb(search_bytes)} kB more when it is first used.`, "",
    "| page | kB | HTML | script | style | requests | first paint, ms | on a slow phone, ms |", "|---|---|---|---|---|---|---|---|",
    ...pages.map((p) => `| ${p.page} | ${kb(p.bytes)} | ${kb(p.html)} | ${kb(p.script)} | ${kb(p.style)} | ${p.requests} | ${p.paint_ms} | ${p.slow_paint_ms} |`),
  ].join("\n");
}

async function main() {
  const given = options(USAGE, process.argv.slice(2), { "--build": "text", "--json": "" });
  if (given.help) return 0;
  const site = openSite(given.folder);
  const browser = await launch();
  const server = await serve(site);
  try {
    const pages = [];
    for (const path of site.pages) pages.push(await measurePage(browser, site, server.base, path));
    const all = {
      date: new Date().toISOString().slice(0, 10), device: device(browser), build_s: given.build ?? null,
      search_bytes: site.files.has("search.js") ? site.gzipped("search.js") : 0, pages,
    };
    console.log(given.json ? JSON.stringify(all, null, 1) : markdown(all));
  } finally {
    await browser.close();
    server.close();
  }
  return 0;
}

await stopping("measure", main);
