// A page's console messages and requests while it is open.

import { pathIn } from "./site.js";

// watch(page, site, base, report): reports console errors, failed requests and requests elsewhere from now on.
// Returns {paths}: the site's files that were loaded, in order.
export function watch(page, site, base, report) {
  const paths = [];
  page.on("console", (message) => {
    const { url, lineNumber } = message.location();
    // A request that failed is reported below, with its address.
    if (message.type() !== "error" || /^Failed to load resource/.test(message.text())) return;
    report("console", message.text(), url ? `${pathIn(base, url) ?? url}:${lineNumber + 1}` : "");
  });
  page.on("pageerror", (error) => {
    const at = /(?:http|file):[^\s)]+/.exec(error.stack ?? "")?.[0];
    report("console", `${error.name}: ${error.message}`, at ? pathIn(base, at) ?? at : "");
  });
  page.on("websocket", (socket) => report("elsewhere", "opens a socket", socket.url()));
  page.on("request", (request) => {
    const url = request.url();
    if (/^(data|blob|about):/.test(url)) return;
    const path = pathIn(base, url);
    if (path === null) report("elsewhere", "asks for what is not in the site", url);
    else paths.push(path);
  });
  page.on("requestfailed", (request) => {
    const path = pathIn(base, request.url());
    if (path !== null && !site.files.has(path)) report("missing", "asks for a file that is not there", path);
  });
  page.on("response", (response) => {
    const path = pathIn(base, response.url());
    if (path !== null && response.status() >= 400) report("missing", "asks for a file that is not there", path);
  });
  return { paths };
}
