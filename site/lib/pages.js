// The other pages: those of site/pages/, interactive figures, files that pages link to.
import path from 'node:path';
import yaml from 'js-yaml';
import { fail, lineOf } from './fail.js';
import { codeBlock } from './highlight.js';
import { languageOf, newState, render } from './markdown.js';
import { playOf, prepare } from './markers.js';
import { fill } from './tokens.js';
import { escape } from './text.js';

export const groups = { learn: 'Learn', cluster: 'Set up and run', reference: 'Reference', instructor: 'For instructors' };

// Takes the site and a note {name, file, text}. Adds its page.
export async function addNote(site, note) {
  const url = `pages/${note.name}/index.html`, state = newState();
  const { head, body, line } = frontMatter(note);
  const filled = fill(site, note.text, note.file).split('\n').slice(line - 1).join('\n');
  const { text, marker } = await prepare(site, filled, note.file, state, line);
  site.pages.set(url, {
    url, kind: 'page', name: note.name, title: head.title, description: head.description, group: head.group, order: head.order ?? 50, state,
    html: render(text, { site, file: note.file, line, url, state, marker }), headings: state.headings, hasBody: body.trim() !== '',
  });
}

// Takes a page. Returns its front matter, its body, and the line on which the body begins.
function frontMatter({ file, text }) {
  const [all, front] = /^---\n([\s\S]*?)\n---\n/.exec(text) ?? fail(file, 1, 'the page has no front matter', 'It begins with ---, title: …, description: …, group: learn, and --- again.');
  let head;
  try {
    head = yaml.load(front, { schema: yaml.CORE_SCHEMA }) ?? {};
  } catch (error) {
    fail(file, (error.mark?.line ?? 0) + 2, `the front matter is not YAML: ${error.reason}`, 'Texts with : or # in them need quotes.');
  }
  for (const key of Object.keys(head))
    if (!['title', 'description', 'group', 'order', 'role'].includes(key)) fail(file, lineOf(text, new RegExp(`^${key}`)), `unknown key ${key}`, 'There are title, description, group, order, role.');
  for (const key of ['title', 'description'])
    if (typeof head[key] !== 'string') fail(file, 1, `the front matter has no ${key}`, `${key}: some words`);
  if (!groups[head.group]) fail(file, lineOf(text, /^group/), `there is no group ${head.group}`, `Groups: ${Object.keys(groups).join(', ')}.`);
  return { head, body: text.slice(all.length), line: all.split('\n').length };
}

// Takes the site. Adds a page for each interactive figure.
export function addPlay(site) {
  for (const [name, thing] of Object.entries(site.play)) {
    const state = newState(), url = `play/${name}/index.html`;
    const html = `<p class="lead">${escape(thing.description)}</p>\n${playOf(site, name, 'site/play/index.js', 0, state)}`;
    site.pages.set(url, { url, kind: 'play', name, title: thing.title, description: thing.description, html, headings: [], state });
  }
}

// Takes the site. Adds pages of the files that pages link to, until no page links to a new one.
export function addFiles(site) {
  const done = new Set();
  for (let more = true; more;) {
    more = false;
    for (const [file, url] of site.wanted) {
      if (done.has(file)) continue;
      done.add(file);
      more = true;
      addFile(site, file, url);
    }
  }
}

function addFile(site, file, url) {
  const text = site.sourceText(file, file, 0), state = newState();
  const lesson = site.lessons.find((l) => file === `lessons/${l.id}/${l.source}`);
  if (file.endsWith('.md')) {
    const html = render(text.replace(/^# .*\n/, (title) => '\n'.repeat(title.split('\n').length - 1)), { site, file, url, state });
    const title = /^# (.*)$/m.exec(text)?.[1] ?? file;
    site.pages.set(url, { url, kind: 'file', title, description: file, html, headings: state.headings, state });
    return;
  }
  const note = lesson ? `<p>The starter. You edit your own copy, <code>${escape(file)}</code>; <code>make reset-${lesson.id}</code> brings this one back.</p>` : '';
  const html = `${note}${codeBlock(text, languageOf(file), escape(file))}`;
  site.pages.set(url, { url, kind: 'file', lesson, title: path.basename(file), description: file, html, headings: [], state });
}
