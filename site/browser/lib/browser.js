// Debian's Chromium, by playwright-core.

import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { Stop } from "./stop.js";

// Prefers the one without windows: it starts in half the time.
const PLACES = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const INSTALL = "./bootstrap --dev installs it (Debian: apt-get install chromium-headless-shell fonts-dejavu-core)";

// launch(): a browser that finds no host but this machine.
export async function launch() {
  const playwright = await import("playwright-core").catch(() => {
    throw new Stop("playwright-core is not installed: run ./bootstrap --dev, or npm ci in site/", 3);
  });
  const place = process.env.CHROMIUM || PLACES.find((path) => existsSync(path));
  if (!place || !existsSync(place)) {
    throw new Stop(place ? `CHROMIUM names ${place}, which is not there` : `no Chromium here: ${INSTALL}; or name one by CHROMIUM`, 3);
  }
  try {
    return await (playwright.chromium ?? playwright.default.chromium).launch({
      executablePath: place,
      args: ["--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1", "--disable-background-networking"],
    });
  } catch (error) {
    throw new Stop(`${place} does not start: ${error.message.split("\n")[0]}`, 3);
  }
}

// axeSource(): the text of axe-core, to be evaluated in a page.
export function axeSource() {
  try {
    return readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
  } catch {
    throw new Stop("axe-core is not installed: run ./bootstrap --dev, or npm ci in site/", 3);
  }
}

// The views of a page. 200 % of a window of 1440 x 900 is a window of 720 x 450 with pixels twice as large.
export const VIEWS = {
  wide: { width: 1440, height: 900 },
  narrow: { width: 320, height: 640 },
  zoomed: { width: 720, height: 450 },
};
export const BROWSING = { viewport: VIEWS.wide, colorScheme: "light", reducedMotion: "reduce" };
