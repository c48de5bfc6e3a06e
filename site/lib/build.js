// The build: pages into a folder next to the old site, checks, then a swap. A build that fails leaves the old site as it was.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import Eleventy from '@11ty/eleventy';
import { checkSite } from './check.js';
import { theSite } from './current.js';
import { proveRelease } from './release.js';
import { explain } from './workshop.js';

const here = path.dirname(path.dirname(fileURLToPath(import.meta.url))), root = path.dirname(here);

// Takes the folder to write. Exits with 0, or with 1 after saying what is wrong.
async function build(target) {
  const started = Date.now(), fresh = `${target}.new-${process.pid}`, old = `${target}.old-${process.pid}`;
  process.chdir(here);
  process.env.SITE_OUT = path.relative(here, fresh);
  fs.mkdirSync(path.dirname(target), { recursive: true });
  try {
    const eleventy = new Eleventy(undefined, undefined, { configPath: 'eleventy.config.js', quietMode: true });
    eleventy.disableLogger();
    await eleventy.write();
    const site = theSite();
    checkSite(fresh);
    proveRelease(site, fresh);
    for (const warning of site.warnings) console.error(`warning: ${warning}`);
    if (fs.existsSync(target)) fs.renameSync(target, old);
    fs.renameSync(fresh, target);
    const shown = path.relative(process.env.SITE_FROM || root, target);
    console.log(`${shown}: ${site.pages.size} pages in ${((Date.now() - started) / 1000).toFixed(1)} s. Open ${shown}/index.html`);
  } catch (error) {
    console.error(`site: ${explain(error)}`);
    console.error(fs.existsSync(target) ? 'The site that was there stays as it was.' : 'No site was written.');
    process.exitCode = 1;
  } finally {
    fs.rmSync(fresh, { recursive: true, force: true });
    fs.rmSync(old, { recursive: true, force: true });
  }
}

await build(path.resolve(root, process.argv[2]));
