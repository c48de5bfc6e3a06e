// The proof that solutions which are not released left no trace: every run of two lines of a solution's region that stands neither in
// the starter nor in the page's own text is looked for in every file of the site. This is the one place of a learner's build that
// reads solutions.
import fs from 'node:fs';
import path from 'node:path';
import { fail } from './fail.js';
import { filesOf } from './check.js';
import { assetsOf } from './make.js';
import { regionsOf } from './regions.js';
import { lessonNames } from './lessons.js';
import { visible } from './text.js';

// Takes the site and its folder. Stops the build if a line of an unreleased solution is found. Gives how many runs were looked for.
export function proveRelease(site, folder) {
  const runs = lessonNames(site.root).filter((id) => !site.released(id)).flatMap((id) => runsOf(site, id));
  for (const file of filesOf(folder)) {
    const text = searchable(fs.readFileSync(path.join(folder, file)), file);
    for (const { run, id, source, lines } of runs)
      if (text.some((t) => t.includes(run))) fail(file, 0, `has two lines of the solution of ${id}, which is not released (${source}): ${lines}`, `Look for where that page gets them from, or release ${id} in the workshop's file.`);
  }
  return runs.length;
}

const squeeze = (text) => text.replace(/\s+/g, '');

// Takes the site and a lesson. Gives the runs to look for, {run, id, source, lines}, without any blanks. Left out is what everybody may
// read anyhow: starters, the text of pages and of files that they show, released solutions; and what is short, like "return; }", if it
// stands in a script of the site's own.
export function runsOf(site, id) {
  const folder = path.join(site.root, 'solutions', id), known = (site.knownText ??= knownText(site)), found = [];
  const scripts = (site.knownScripts ??= squeeze([...assetsOf(site).flatMap(([from]) => scriptsIn(from)), ...[...site.texts].filter(([name]) => name.startsWith('play/')).map(([, text]) => text)].join('\n')));
  for (const source of fs.existsSync(folder) ? fs.readdirSync(folder) : []) {
    for (const { lines } of regionsOf(fs.readFileSync(path.join(folder, source), 'utf8'))) {
      for (let i = 0; i + 1 < lines.length; i++) {
        const run = squeeze(lines[i] + lines[i + 1]);
        // Braces alone say nothing.
        if (!/\w/.test(run) || known.includes(run) || (run.length < 30 && scripts.includes(run))) continue;
        found.push({ run, id, source: `solutions/${id}/${source}`, lines: `${lines[i]} ⏎ ${lines[i + 1]}` });
      }
    }
  }
  return found;
}

// The texts that pages are made from, but for unreleased solutions; in Markdown without the marks of code.
function knownText({ root, lessons, notes, wanted, sourceText, released }) {
  const starters = lessonNames(root).map((id) => path.join(root, 'lessons', id, '.starter')).flatMap(filesIn);
  const solutions = lessonNames(root).filter(released).map((id) => path.join(root, 'solutions', id)).flatMap(filesIn);
  const pages = [...lessons.map((l) => l.text), ...notes.map((n) => n.text)].map((text) => text.replaceAll('`', ''));
  const texts = [...starters, ...solutions].map((f) => fs.readFileSync(f, 'utf8'));
  return squeeze([...texts, ...pages, ...[...wanted.keys()].map((f) => sourceText(f, f, 0))].join('\n'));
}

const scriptsIn = (from) => (fs.statSync(from).isDirectory() ? filesOf(from).map((f) => path.join(from, f)) : [from]).filter((f) => f.endsWith('.js')).map((f) => fs.readFileSync(f, 'utf8'));

const filesIn = (folder) => (fs.existsSync(folder) ? fs.readdirSync(folder).map((f) => path.join(folder, f)) : []);

// Takes a file's bytes and name. Gives the texts to look through: as it is, as a reader sees it, and with a script's escapes undone.
function searchable(bytes, file) {
  const text = bytes.toString('utf8');
  const seen = /\.html$/.test(file) ? visible(text) : /\.js$/.test(file) ? text.replace(/\\[nrt]/g, ' ').replace(/\\u([0-9a-f]{4})/gi, (all, hex) => String.fromCharCode(parseInt(hex, 16))).replace(/\\(.)/g, '$1') : '';
  return [text, seen].filter(Boolean).map(squeeze);
}
