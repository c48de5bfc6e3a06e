// The site as a whole: its pages, their addresses and their links. Pages are made in pages.js and lesson.js.
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { fail } from './fail.js';
import { lessonNames, plannedLessons, readLesson } from './lessons.js';
import { forgetPlans } from './plan.js';
import { relative } from './text.js';
import { readWorkshop } from './workshop.js';

// Files of the workbook that pages may show when a page links to them. The rest is linked in the workshop's repository.
const shown = /^(lessons\/lesson\d\d\/[\w/-]+\.(c|cu|h)|results\/.*\.md|(grader|jobs|common|results|site)\/README\.md|grader\/checks\/[\w.]+|jobs\/(run\.sh|clusters\/\w+)|[A-Z][A-Za-z-]*(\.md|\.cff)?)$/;

// Takes {root, role, workshopFile}. Returns the model that all pages are made from:
// {root, role, instructor, workshop, lessons, planned, pages, figures, play, released(id), sourceText, resolve, wanted}.
export async function openSite({ root, role, workshopFile }) {
  forgetPlans(root);
  const names = lessonNames(root);
  const workshop = readWorkshop(root, workshopFile, names);
  const instructor = role === 'instructor';
  const drawn = await optional(root, 'site/figures/index.js');
  const site = {
    root, role, instructor, workshop, planned: plannedLessons(root),
    lessons: workshop.lessons.map((id) => readLesson(root, id)),
    notes: readNotes(root, instructor, workshop.cluster),
    pages: new Map(), // address -> page
    wanted: new Map(), // file -> the address of the page that shows it
    figures: drawn?.figures ?? {},
    redrawn: (file) => drawn?.redrawn(file, { root, results: path.join(root, 'results') }) ?? null,
    unfilled: [], // places where pages show a placeholder
    results: path.join(root, 'results'),
    released: (id) => instructor || workshop.released.includes(id),
  };
  site.play = playFor(site, (await optional(root, 'site/play/index.js'))?.play ?? {}, names);
  site.sourceText = (file, from, line) => sourceText(site, file, from, line);
  site.resolve = (file, anchor, env, line) => resolve(site, file, anchor, env, line);
  return site;
}

// Takes the checkout and the name of a module of another part of the site. Returns the module, or null if there is none.
export async function optional(root, file) {
  const at = path.join(root, file);
  return fs.existsSync(at) ? import(pathToFileURL(at)) : null;
}

// The interactive figures of this workshop: without those that only pages of other lessons show.
function playFor(site, play, names) {
  const shows = (name, texts) => texts.some((text) => text.includes(`<!-- site: play ${name} -->`));
  const here = [...site.lessons, ...site.notes].map(({ text }) => text);
  const others = names.filter((id) => !site.workshop.lessons.includes(id)).map((id) => path.join(site.root, 'lessons', id, 'README.md'))
    .filter((file) => fs.existsSync(file)).map((file) => fs.readFileSync(file, 'utf8'));
  return Object.fromEntries(Object.entries(play).filter(([name]) => shows(name, here) || !shows(name, others)));
}

// The pages of site/pages/: [{name, file, text}], those for instructors only in the instructor's site; of the clusters'
// pages only that of the workshop's cluster.
function readNotes(root, instructor, cluster) {
  const folder = path.join(root, 'site/pages');
  if (!fs.existsSync(folder)) return [];
  const own = `cluster-${cluster.name}.md`, ours = (f) => f.endsWith('.md') && f !== 'README.md' && (!f.startsWith('cluster-') || f === own);
  const notes = fs.readdirSync(folder).filter(ours).map((f) => ({ name: f.slice(0, -3), file: `site/pages/${f}`, text: fs.readFileSync(path.join(folder, f), 'utf8') }));
  if (cluster.name !== 'generic' && !notes.some((n) => n.file.endsWith(`/${own}`))) notes.push({ name: own.slice(0, -3), file: `site/pages/${own}`, text: clusterPage(cluster) });
  return notes.sort((a, b) => (a.name < b.name ? -1 : 1))
    .filter(({ text }) => instructor || !/^---\n[\s\S]*?^role:\s*instructor\s*$[\s\S]*?^---$/m.test(text));
}

// The page of a cluster that has a profile and no page in site/pages/.
function clusterPage({ name, title, about }) {
  return `---
title: ${JSON.stringify(title)}
description: ${JSON.stringify(about || 'The settings of its jobs.')}
group: cluster
order: 8
---

\`\`\`bash
%{cluster.setup}
make lesson02 && sbatch jobs/run.sh
\`\`\`

## The profile

<!-- site: content cluster ${name} -->

Everything else works as on any cluster: [Running on your cluster](cluster.md).
`;
}

// Returns a file's text for a page. For the learner's file it returns the starter, so that the site never shows a learner's own work.
function sourceText(site, file, from, line) {
  if (/^solutions\//.test(file) && !site.released(file.split('/')[1])) fail(from, line, `${file} is not released`, 'Pages show solutions by themselves once the workshop\'s file releases them.');
  const starter = file.replace(/^(lessons\/lesson\d\d)\/([^/]+)$/, '$1/.starter/$2');
  const at = [starter, file].map((f) => path.join(site.root, f)).find((f) => fs.existsSync(f) && fs.statSync(f).isFile());
  return at ? fs.readFileSync(at, 'utf8') : fail(from, line, `there is no file ${file}`, 'Correct the path: it begins at the page\'s own folder.');
}

// Takes a file of the workbook, an anchor in it, and the page with the link. Returns the link from that page to the file's page, or into the
// repository if the site has no such page, or '' if there is no target.
function resolve(site, file, anchor, env, line) {
  const hash = anchor && !anchor.startsWith('region=') ? `#${anchor}` : '';
  const here = (url) => relative(env.url, url + hash);
  if (file.startsWith('..')) fail(env.file, line, `the link leads out of the workbook: ${file}`, 'Correct the path: it begins at the page\'s own folder.');
  if (site.notes.some((n) => n.file === file)) return here(`pages/${path.basename(file, '.md')}/index.html`);
  let at = path.join(site.root, file);
  if (!fs.existsSync(at)) fail(env.file, line, `the link leads nowhere: there is no ${file}`, 'Correct the path: it begins at the page\'s own folder.');
  if (fs.statSync(at).isDirectory()) {
    const page = ['README.md', 'summary.md'].map((f) => path.posix.join(file, f)).find((f) => fs.existsSync(path.join(site.root, f)));
    if (!page) return elsewhere(site, file);
    file = page, at = path.join(site.root, file);
  }
  const lesson = /^lessons\/(lesson\d\d)\/README\.md$/.exec(file)?.[1];
  if (lesson) return site.workshop.lessons.includes(lesson) ? here(`lessons/${lesson}/index.html`) : elsewhere(site, file);
  if (/^site\/pages\/[\w-]+\.md$/.test(file)) return ''; // a page of another edition
  const solution = /^solutions\/(lesson\d\d)\//.exec(file)?.[1];
  if (solution) return site.workshop.lessons.includes(solution) && site.released(solution) ? here(`solutions/${solution}/index.html`) : '';
  if (!shown.test(file)) return elsewhere(site, file);
  site.wanted.set(file, `files/${file.replace(/\/README\.md$/, '')}/index.html`);
  return here(site.wanted.get(file));
}

const elsewhere = (site, file) => (site.workshop.repository ? `${site.workshop.repository.replace(/\/$/, '')}/blob/main/${file}` : '');
