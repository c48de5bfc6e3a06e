// Makes the model of the whole site: all pages, and the files beside them.
import fs from 'node:fs';
import path from 'node:path';
import { addAll } from './all.js';
import { addFront, addSchedule } from './front.js';
import { addLesson } from './lesson.js';
import { addFiles, addNote, addPlay } from './pages.js';
import { calendar } from './schedule.js';
import { searchScript } from './search.js';
import { openSite } from './site.js';
import { addSlides } from './slides.js';

// Takes {root, role, workshopFile}. Gives the site, complete: pages (address -> page), texts (name -> text of a file), warnings.
export async function makeSite(given) {
  const site = await openSite(given);
  const over = addSchedule(site);
  site.warnings = over ? [`${site.workshop.file}: ${over}`] : [];
  for (const lesson of site.lessons) await addLesson(site, lesson);
  for (const note of site.notes) await addNote(site, note);
  addPlay(site);
  for (const lesson of site.lessons) await addSlides(site, lesson);
  addFront(site);
  addAll(site);
  addFiles(site);
  site.texts = new Map([['search.js', searchScript(site)]]);
  for (const thing of Object.values(site.play))
    for (const [file, text] of Object.entries(thing.files)) site.texts.set(`play/${file}`, text);
  if (site.workshop.days.length) site.texts.set('workshop.ics', calendar(site.workshop, site.table));
  return site;
}

// Takes the site. Gives [from, to]: files to copy as they are.
export function assetsOf(site) {
  const at = (...parts) => path.join(site.root, 'site', ...parts);
  return [
    [at('assets'), 'assets'],
    [at('node_modules/minisearch/dist/umd/index.js'), 'assets/minisearch.js'],
    [at('figures/style.css'), 'figures/style.css'],
  ].filter(([from]) => fs.existsSync(from));
}
