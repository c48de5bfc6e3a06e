// A built site: its pages, and a small server for it.

import { createServer } from "node:http";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { extname, join, relative, resolve, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { Stop } from "./stop.js";

const TYPES = {
  ".html": "text/html; charset=utf-8", ".css": "text/css", ".js": "text/javascript", ".json": "application/json",
  ".svg": "image/svg+xml", ".png": "image/png", ".ico": "image/x-icon", ".woff2": "font/woff2", ".ics": "text/calendar",
  ".txt": "text/plain; charset=utf-8", ".zip": "application/zip", ".pdf": "application/pdf",
};
// Served below a folder, as on GitHub Pages, so that a link that starts with / leads out of the site and is reported.
const BELOW = "/a/folder/";

// openSite(folder): {folder, pages, files, read(path), packed(path), gzipped(path), fileBase}. Paths are relative to the folder, with /.
export function openSite(folder) {
  const root = resolve(folder);
  let files;
  try {
    files = walk(root).map((file) => relative(root, file).split(sep).join("/")).sort();
  } catch (error) {
    throw new Stop(`${folder}: ${error.code === "ENOTDIR" ? "is no folder" : "there is no such folder"}: name a built site (make site writes build/site)`);
  }
  const pages = files.filter((file) => file.endsWith(".html"));
  if (!files.includes("index.html")) throw new Stop(`${folder}: has no index.html: name a built site (make site writes build/site)`);
  const kept = new Map();
  const packed = (path) => {
    if (!kept.has(path)) kept.set(path, gzipSync(readFileSync(join(root, path)), { level: 9 }));
    return kept.get(path);
  };
  return {
    folder: root, pages, files: new Set(files), packed, gzipped: (path) => packed(path).length, fileBase: `${pathToFileURL(root).href}/`,
    read: (path) => readFileSync(join(root, path), "utf8"),
  };
}

function walk(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() || (entry.isSymbolicLink() && statSync(path).isDirectory()) ? walk(path) : [path];
  });
}

// pathIn(base, url): where in the site a URL leads, without its fragment; null when it leads elsewhere.
export function pathIn(base, url) {
  const plain = url.split(/[?#]/)[0];
  if (!plain.startsWith(base)) return null;
  try {
    return decodeURIComponent(plain.slice(base.length));
  } catch {
    return plain.slice(base.length);
  }
}

// serve(site): {base, close}. Serves the files on a free port of this machine.
export async function serve(site) {
  const server = createServer((request, response) => {
    let path = pathIn(BELOW, request.url);
    if (path === "" || path?.endsWith("/")) path += "index.html";
    if (path === null || !site.files.has(path)) {
      response.writeHead(404, { "Content-Type": "text/plain" }).end("not there\n");
      return;
    }
    const type = TYPES[extname(path)] ?? "application/octet-stream";
    response.writeHead(200, { "Content-Type": type, "Content-Encoding": "gzip" }).end(site.packed(path));
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return { base: `http://127.0.0.1:${server.address().port}${BELOW}`, close: () => server.close() };
}

// kindOf(page): lesson, play, slides, page, all, index or other.
export function kindOf(page) {
  const kinds = { lessons: "lesson", play: "play", slides: "slides", pages: "page", all: "all" };
  return page === "index.html" ? "index" : kinds[page.split("/")[0]] ?? "other";
}
