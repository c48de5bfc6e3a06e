// Replaces the markers: <!-- site: figure NAME -->, <!-- site: play NAME -->, <!-- site: content NAME -->.
import { fail } from './fail.js';
import { optional } from './site.js';

const pattern = /^<!-- site: (\S+) ?(.*?) -->$/;

// Takes the site, a text with markers, its file, the page's state, and the line of the file on which the text begins. Returns the function
// from which `render` gets a marker's HTML, and `text` with imported content in place of its marker. Figures and contents are made here, because
// they may take a while.
export async function prepare(site, text, file, state, first = 1) {
  const lines = text.split('\n'), made = new Map();
  for (const [i, line] of lines.entries()) {
    const [, kind, name] = pattern.exec(line.trim()) ?? [];
    if (!kind) continue;
    if (kind === 'figure') made.set(`figure ${name}`, await figure(site, name, file, first + i, state));
    else if (kind === 'play') made.set(`play ${name}`, playOf(site, name, file, first + i, state));
    else if (kind === 'content') lines[i] = await content(site, name, file, first + i);
    else fail(file, first + i, `there is no marker "site: ${kind}"`, 'There are figure, play and content, each with a name.');
  }
  return { text: lines.join('\n'), marker: (key) => made.get(key) ?? '' };
}

async function figure(site, name, file, line, state) {
  const make = Object.hasOwn(site.figures, name) && site.figures[name];
  if (!make) fail(file, line, `there is no figure ${name}`, `site/figures/index.js has: ${Object.keys(site.figures).join(', ') || 'none'}.`);
  return `${await make({ root: site.root, results: site.results })}\n`;
}

// Takes the site, the name of an interactive figure, who asks, and the page's state. Returns its HTML; notes the scripts it wants.
export function playOf(site, name, file, line, state) {
  const thing = Object.hasOwn(site.play, name) && site.play[name];
  if (!thing) fail(file, line, `there is no interactive figure ${name}`, `site/play/index.js has: ${Object.keys(site.play).join(', ') || 'none'}.`);
  for (const file of Object.keys(thing.scripts)) state.scripts.add(`play/${file}`);
  return `${thing.html()}\n`;
}

async function content(site, key, file, line) {
  const [name, ...words] = key.split(' ');
  const module = /^[\w-]+$/.test(name) && (await optional(site.root, `site/lib/${name}.js`));
  if (!module?.default) fail(file, line, `there is no content ${name}`, `site/lib/${name}.js must exist, with the default export async ({root, workshop}) => text.`);
  return module.default({ root: site.root, workshop: site.workshop, site, words });
}
