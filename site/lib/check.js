// Checks a finished site: links and anchors have targets, ids are unique, drawings and images have texts.
import fs from 'node:fs';
import path from 'node:path';
import { fail } from './fail.js';
import { unescape } from './text.js';

// Takes the site's folder. Stops the build at the first fault.
export function checkSite(folder) {
  const pages = new Map();
  for (const file of filesOf(folder).filter((f) => f.endsWith('.html'))) {
    const html = fs.readFileSync(path.join(folder, file), 'utf8'), tags = html.replace(/<!--[\s\S]*?-->|<(script|style)\b[^>]*>[\s\S]*?<\/\1>/g, (all, tag) => (tag ? /<[^>]*>/.exec(all)[0] : ''));
    pages.set(file, { tags, ids: idsOf(tags, file) });
  }
  for (const [file, { tags, ids }] of pages) {
    if (!ids.size && !tags.includes('<title>')) fail(file, 0, 'the page is not whole', 'This is a fault of the build: report it to its authors.');
    for (const [, attribute, value] of tags.matchAll(/\s(href|src)="([^"]*)"/g)) checkLink(folder, pages, file, attribute, unescape(value));
    for (const [image] of tags.matchAll(/<img\b[^>]*>/g)) if (!/\balt="[^"]+"/.test(image)) fail(file, 0, `an image has no text: ${image}`, 'alt="what a reader who does not see it must know"');
    for (const [svg] of tags.matchAll(/<svg\b[^>]*>/g))
      if (!/aria-label|aria-hidden="true"/.test(svg)) fail(file, 0, `a drawing has no name: ${svg.slice(0, 80)}`, 'role="img" and aria-labelledby, with <title> and <desc>; aria-hidden="true" if it says nothing.');
  }
}

function idsOf(tags, file) {
  const ids = new Set();
  for (const [, id] of tags.matchAll(/<[^>]*?\sid="([^"]*)"/g)) {
    if (ids.has(id)) fail(file, 0, `the id ${id} is there twice`, 'Give one of them another name; a heading twice on a page counts itself.');
    ids.add(id);
  }
  return ids;
}

function checkLink(folder, pages, file, attribute, value) {
  if (/^(https?:|mailto:)/.test(value)) {
    if (attribute === 'src') fail(file, 0, `the page asks another host: ${value}`, 'Put the file into the site.');
    return;
  }
  if (value.startsWith('data:')) return;
  const [target, anchor] = decodeURI(value).split('#');
  const to = target ? path.posix.normalize(path.posix.join(path.posix.dirname(file), target)) : file;
  if (to.startsWith('..') || path.isAbsolute(target)) fail(file, 0, `the link ${value} leads out of the site`, 'Links are relative and stay below the site\'s folder.');
  if (!fs.existsSync(path.join(folder, to)) || !path.extname(to)) fail(file, 0, `the link ${value} leads nowhere`, 'Correct it in the page that this one is made from.');
  if (anchor && !pages.get(to)?.ids.has(anchor)) fail(file, 0, `the link ${value} leads to no place on its page`, `Anchors there: ${[...(pages.get(to)?.ids ?? [])].slice(0, 40).join(', ')}.`);
}

// Takes a folder. Returns the files below it, relative to it.
export function filesOf(folder, below = '') {
  return fs.readdirSync(path.join(folder, below), { withFileTypes: true }).flatMap((entry) => {
    const file = path.posix.join(below, entry.name);
    return entry.isDirectory() ? filesOf(folder, file) : [file];
  });
}
