// Makes the model of the whole site: all pages, and the files that belong to them.
import fs from 'node:fs';
import path from 'node:path';
import { calendar } from './calendar.js';
import { addAll } from './all.js';
import { addFront, addSchedule, notFound } from './front.js';
import { addLesson } from './lesson.js';
import { addFiles, addNote, addPlay } from './pages.js';
import { searchScript } from './search.js';
import { fail } from './fail.js';
import { openSite } from './site.js';
import { addSlides } from './slides.js';
import { unfilled } from './tokens.js';

// Takes {root, role, workshopFile, draft}. A draft may show placeholders. Returns the site, complete: pages (address -> page), texts (name -> text of a file), warnings.
export async function makeSite(given) {
  const site = await openSite(given);
  const over = addSchedule(site);
  site.warnings = [...over.split('\n'), ...doubts(site)].filter(Boolean).map((text) => `${site.workshop.file}: ${text}`);
  for (const lesson of site.lessons) await addLesson(site, lesson);
  for (const note of site.notes) await addNote(site, note);
  const open = unfilled(site);
  if (open.length && !given.draft)
    fail(site.workshop.file, 0, open.join(`\n${site.workshop.file}: `), 'make site DRAFT=1 builds the pages with the placeholders, to look at.');
  site.warnings.push(...open.map((text) => `${site.workshop.file}: ${text}`));
  addPlay(site);
  for (const lesson of site.lessons) await addSlides(site, lesson);
  addFront(site);
  addAll(site);
  addFiles(site);
  site.texts = new Map([['search.js', searchScript(site)], ['assets/style.css', sheet(site)], ['404.html', notFound(site)], ...scripts(site)]);
  for (const thing of Object.values(site.play))
    for (const [file, text] of Object.entries(thing.scripts)) site.texts.set(`play/${file}`, text);
  if (site.workshop.days.length) site.texts.set('workshop.ics', calendar(site.workshop, site.table));
  return site;
}

// The profile for which jobs/run.sh is set; nothing if it cannot be seen.
function jobsOf(root) {
  const script = path.join(root, 'jobs/run.sh');
  return fs.existsSync(script) ? /^# >>> cluster: (\S+)/m.exec(fs.readFileSync(script, 'utf8'))?.[1] : undefined;
}

// Takes the site. Returns warnings about likely mistakes in the workshop's file.
function* doubts({ root, workshop: { days, timezone, cluster }, table }) {
  const idle = days.filter((date) => !table.days.some((day) => day.date === date)), today = new Date().toISOString().slice(0, 10);
  const set = jobsOf(root);
  if (set && !['generic', cluster.name].includes(set)) yield `jobs/run.sh is set for ${set}, the pages say ${cluster.name}. make cluster WORKSHOP=… sets the jobs as the workshop's file says.`;
  if (idle.length) yield `nothing is planned for ${idle.join(', ')}: all lessons fit on the other days. Remove these days, or set an earlier end.`;
  if (days.length && days.at(-1) < today) yield `the last day, ${days.at(-1)}, is over. Set the dates of the next workshop.`;
  else if (days.length && days[0] < today) yield `the first day, ${days[0]}, is over.`;
  if (days.length && !timezone) yield 'workshop.ics gives times without a time zone. Set timezone, for example timezone: Europe/Stockholm.';
}

// The styles of all pages, in one sheet: a page loads one file faster than four.
const styles = ['assets/style.css', 'assets/content.css', 'figures/style.css', 'play/play.css'];

// Takes the site. Returns that sheet, without comments.
function sheet(site) {
  const files = styles.map((file) => path.join(site.root, 'site', file)).filter((file) => fs.existsSync(file));
  return files.map((file) => fs.readFileSync(file, 'utf8').replace(/\/\*[\s\S]*?\*\/\n?/g, '')).join('');
}

// Takes the site. Returns [name, text] of the frame's scripts, without whole lines of comment: those are only for readers of the sources.
function scripts(site) {
  const folder = path.join(site.root, 'site/assets'), text = (name) => fs.readFileSync(path.join(folder, name), 'utf8');
  return fs.readdirSync(folder).filter((name) => name.endsWith('.js')).map((name) => [`assets/${name}`, text(name).replace(/^ *\/\/.*\n/gm, '').replace(/\n{2,}/g, '\n')]);
}

// Takes the site. Returns [from, to]: files to copy as they are.
export function assetsOf(site) {
  const at = (...parts) => path.join(site.root, 'site', ...parts);
  return [
    ...fs.readdirSync(at('assets')).map((name) => [at('assets', name), `assets/${name}`]).filter(([, to]) => !styles.includes(to) && !to.endsWith('.js')),
    [at('node_modules/minisearch/dist/umd/index.js'), 'assets/minisearch.js'],
  ].filter(([from]) => fs.existsSync(from));
}
