// Links and anchors, resolved by the browser: its parser reads every page, its URL joins every link.

import { pathIn } from "./site.js";

// Runs in the page. collect({html, base}): ids, links {raw, url, where} and resources of this document, or of html's.
export function collect({ html, base }) {
  const doc = html === undefined ? document : new DOMParser().parseFromString(html, "text/html");
  const from = base ?? document.baseURI;
  const resolved = (raw) => { try { return new URL(raw, from).href; } catch { return null; } };
  const words = (element) => (element.textContent || element.getAttribute("aria-label") || "").trim().replace(/\s+/g, " ").slice(0, 60);
  const all = (selector) => [...doc.querySelectorAll(selector)];
  const entry = (element, raw) => ({ raw, url: resolved(raw), where: `<${element.localName}> ${words(element)}`.trim() });
  const address = (element) => element.getAttribute("href") ?? element.getAttribute("xlink:href");
  const rels = ["stylesheet", "icon", "preload", "modulepreload", "prefetch", "preconnect", "dns-prefetch", "manifest"];
  return {
    ids: all("[id]").map((element) => element.id).concat(all("a[name]").map((element) => element.name)),
    links: all("a, area").filter((element) => address(element) !== null).map((element) => entry(element, address(element))),
    resources: [
      ...all("[src]").map((element) => entry(element, element.getAttribute("src"))),
      ...all("[srcset]").flatMap((element) => element.srcset.split(",").map((one) => entry(element, one.trim().split(/\s+/)[0]))),
      ...all("link").filter((link) => rels.some((rel) => link.relList.contains(rel))).map((link) => ({ ...entry(link, address(link)), icon: link.relList.contains("icon") })),
      ...all("use, image").filter(address).map((element) => entry(element, address(element))),
      ...all("object[data]").map((element) => entry(element, element.getAttribute("data"))),
    ],
  };
}

// mapSite(page, site, base): what collect() finds in every page, read by the browser in `page`.
export async function mapSite(page, site, base) {
  const map = new Map();
  for (const path of site.pages) map.set(path, await page.evaluate(collect, { html: site.read(path), base: base + path }));
  return map;
}

// asksFor(path, found, base): the files of the site that a page names and therefore loads when it is opened; icons are loaded later, or not at all.
export function asksFor(path, found, base) {
  return [path, ...found.resources.filter(({ icon, url }) => url && !icon).map(({ url }) => pathIn(base, url))];
}

// judgeLinks(path, found, map, site, base, report): reports every link of a page that leads to nothing.
export function judgeLinks(path, found, map, site, base, report) {
  const seen = new Set();
  for (const id of found.ids) {
    if (seen.has(id)) report("anchor", "an id stands twice: links find only the first", `#${id}`);
    seen.add(id);
  }
  for (const { raw, url, where } of found.resources) {
    if (/^(data|blob):/.test(url)) continue;
    const target = url && pathIn(base, url);
    if (!url) report("link", "is no address", `${raw} in ${where}`);
    else if (target === null) report("elsewhere", "names what is not in the site", `${raw} in ${where}`);
    else if (!site.files.has(target)) report("missing", "names a file that is not there", `${raw} in ${where}`);
  }
  for (const link of found.links) {
    const wrong = judgeLink(link, found, path, map, site, base);
    if (wrong) report(wrong.startsWith("no id") ? "anchor" : "link", wrong, `${link.raw} in ${link.where}`);
  }
}

// The fault of one link, or nothing.
function judgeLink({ raw, url }, found, path, map, site, base) {
  if (!url) return "is no address";
  const target = pathIn(base, url);
  if (target === null) {
    if (/^(mailto:|tel:)/.test(url)) return;
    if (!/^https?:\/\//.test(url)) return "leads nowhere on another machine";
    if (new URL(url).host !== new URL(base).host) return;
    return "leads out of the site: write it relative to the page";
  }
  if (!site.files.has(target)) {
    const index = [`${target}index.html`, `${target}/index.html`].find((file) => site.files.has(file));
    return index ? "leads to a folder, which file:// lists instead of opening: end it with index.html" : "leads to a file that is not there";
  }
  const fragment = url.includes("#") ? url.slice(url.indexOf("#") + 1).split(":~:")[0] : "";
  if (fragment === "" || fragment.toLowerCase() === "top" || !target.endsWith(".html")) return;
  const { ids } = target === path ? found : map.get(target);
  let decoded = fragment;
  try { decoded = decodeURIComponent(fragment); } catch { /* then as it stands */ }
  if (!ids.includes(fragment) && !ids.includes(decoded)) return `no id "${decoded}" in ${target}`;
}
