// Proves that the site contains no part of an unreleased solution. It searches every file of the site for every pair of consecutive lines
// of a solution's region, except pairs that are in the starter or in the page's own text. Only this part of a learner's build reads
// solutions.
import fs from 'node:fs';
import path from 'node:path';
import { fail } from './fail.js';
import { filesOf } from './check.js';
import { assetsOf } from './make.js';
import { regionsOf } from './regions.js';
import { lessonNames } from './lessons.js';
import { unescape, visible } from './text.js';

// Takes the site and its folder. Stops the build if a line of an unreleased solution is found. Returns the number of runs that it searched for.
export function proveRelease(site, folder) {
  const runs = lessonNames(site.root).filter((id) => !site.released(id)).flatMap((id) => runsOf(site, id));
  const find = finder(runs);
  for (const file of filesOf(folder)) {
    for (const text of searchable(fs.readFileSync(path.join(folder, file)), file)) {
      const hit = find(text);
      if (hit) fail(file, 0, `has two lines of the solution of ${hit.id}, which is not released (${hit.source}): ${hit.lines}`, `Look for where that page gets them from, or release ${hit.id} in the workshop's file.`);
    }
  }
  return runs.length;
}

// Takes runs. Returns a function that finds one of them in a text, or nothing. Each place of a run where a piece of the text may begin is
// listed by its next 12 letters, so that of the text only every 12th place is looked at; runs too short for that are looked for one by one.
function finder(runs) {
  const size = 12, long = runs.filter(({ run }) => run.length >= 2 * size), short = runs.filter(({ run }) => run.length < 2 * size), places = new Map();
  for (const one of long) {
    for (let at = 0; at < size; at++) {
      const piece = one.run.slice(at, at + size);
      if (!places.has(piece)) places.set(piece, []);
      places.get(piece).push({ one, at });
    }
  }
  return (text) => {
    for (let i = 0; i < text.length; i += size)
      for (const { one, at } of places.get(text.slice(i, i + size)) ?? []) if (text.startsWith(one.run, i - at)) return one;
    return short.find(({ run }) => text.includes(run));
  };
}

const squeeze = (text) => text.replace(/\s+/g, '');

// Takes the site and a lesson. Returns the runs to look for, {run, id, source, lines}, without any blanks. It leaves out runs that are public
// anyway: in starters, in the text of pages and of the files that they show, in released solutions. It also leaves out short runs, like "return; }",
// that are in one of the site's own scripts.
export function runsOf(site, id) {
  const folder = path.join(site.root, 'solutions', id), known = (site.knownText ??= knownText(site)), found = [];
  const scripts = (site.knownScripts ??= squeeze([...assetsOf(site).flatMap(([from]) => scriptsIn(from)), ...[...site.texts].filter(([name]) => /^(play|assets)\/.*\.js$/.test(name)).map(([, text]) => text)].join('\n')));
  for (const source of fs.existsSync(folder) ? fs.readdirSync(folder) : []) {
    for (const { lines } of regionsOf(fs.readFileSync(path.join(folder, source), 'utf8'))) {
      for (let i = 0; i + 1 < lines.length; i++) {
        const run = squeeze(lines[i] + lines[i + 1]);
        // Braces alone prove nothing.
        if (!/\w/.test(run) || known.includes(run) || (run.length < 30 && scripts.includes(run))) continue;
        found.push({ run, id, source: `solutions/${id}/${source}`, lines: `${lines[i]} ⏎ ${lines[i + 1]}` });
      }
    }
  }
  return found;
}

// The sources of the pages, except unreleased solutions; Markdown without its marks for code.
function knownText({ root, lessons, notes, wanted, sourceText, released }) {
  const starters = lessonNames(root).map((id) => path.join(root, 'lessons', id, '.starter')).flatMap(filesIn);
  const solutions = lessonNames(root).filter(released).map((id) => path.join(root, 'solutions', id)).flatMap(filesIn);
  const pages = [...lessons.map((l) => l.text), ...notes.map((n) => n.text)].map((text) => text.replaceAll('`', ''));
  const texts = [...starters, ...solutions].map((f) => fs.readFileSync(f, 'utf8'));
  return squeeze([...texts, ...pages, ...[...wanted.keys()].map((f) => sourceText(f, f, 0))].join('\n'));
}

const scriptsIn = (from) => (fs.statSync(from).isDirectory() ? filesOf(from).map((f) => path.join(from, f)) : [from]).filter((f) => f.endsWith('.js')).map((f) => fs.readFileSync(f, 'utf8'));

const filesIn = (folder) => (fs.existsSync(folder) ? fs.readdirSync(folder).map((f) => path.join(folder, f)) : []);

// Takes a file's bytes and name. Returns the texts to look through: for HTML the visible text, and the whole file; for a script also the text
// without escapes.
function searchable(bytes, file) {
  const text = bytes.toString('utf8');
  if (file.endsWith('.html')) return [visible(text), unescape((text.match(/<!--[\s\S]*?-->|<(script|style)\b[\s\S]*?<\/\1>|<[^>]*>/g) ?? []).join(' '))].map(squeeze);
  if (!file.endsWith('.js')) return [squeeze(text)];
  const plain = text.replace(/\\(u([0-9a-f]{4})|.)/gi, (all, c, hex) => (hex ? String.fromCharCode(parseInt(hex, 16)) : 'nrt'.includes(c) ? ' ' : c));
  return [text, plain].map(squeeze);
}
