// Markdown to HTML, with the additions that the workbook's pages need: links from file to page, code by region, drawings inlined,
// markers for figures and interactive figures, anchors as on GitHub.
import fs from 'node:fs';
import path from 'node:path';
import MarkdownIt from 'markdown-it';
import { fail } from './fail.js';
import { linkTerms } from './glossary.js';
import { codeBlock } from './highlight.js';
import { regionOrFail, withoutMarks } from './regions.js';
import { inlineSvg } from './svg.js';
import { escape, slug } from './text.js';

const md = new MarkdownIt({ html: true, typographer: false, linkify: false });

// No comment appears in the page except our markers, which are replaced.
md.renderer.rules.html_inline = (tokens, i) => tokens[i].content.replace(/<!--[\s\S]*?-->/g, '');
md.renderer.rules.html_block = (tokens, i, options, env) => {
  const marker = /^\s*<!-- site: (.*?) -->\s*$/.exec(tokens[i].content);
  if (marker) return env.marker(marker[1].trim(), lineAt(env, tokens[i]));
  return tokens[i].content.replace(/<!--[\s\S]*?-->\n?/g, '');
};
md.renderer.rules.fence = (tokens, i) => codeBlock(tokens[i].content, tokens[i].info.trim().split(/\s+/)[0].replace(/^text$/, ''));
md.renderer.rules.code_block = (tokens, i) => codeBlock(tokens[i].content, '');
md.renderer.rules.table_open = () => '<div class="table" tabindex="0" role="group" aria-label="Table"><table>\n';
md.renderer.rules.table_close = () => '</table></div>\n';
md.renderer.rules.th_open = (tokens, i, options, env, self) => {
  // a head without words, above the names of rows, is no head
  if (tokens[i + 1].content === '') tokens[i].tag = tokens[i + 2].tag = 'td';
  else tokens[i].attrSet('scope', 'col');
  return self.renderToken(tokens, i, options);
};

const lineAt = (env, token) => env.line + (token?.map?.[0] ?? 0);

// Headings: anchors, unique on their page, gathered for the table of contents.
md.core.ruler.push('headings', ({ tokens, env }) => {
  tokens.forEach((token, i) => {
    if (token.type !== 'heading_open') return;
    const text = plain(tokens[i + 1]), name = slug(text);
    let id = name;
    for (let n = 1; env.state.ids.has(id); n++) id = `${name}-${n}`;
    env.state.ids.add(id);
    token.attrSet('id', id);
    env.state.headings.push({ id, text, level: Number(token.tag[1]) });
  });
});

const plain = (inline) => inline.children.map((t) => (t.type === 'text' || t.type === 'code_inline' ? t.content : t.type === 'softbreak' ? ' ' : '')).join('');

// A paragraph that is only a link with #region=… becomes the code; one that is only an image becomes a figure.
md.core.ruler.push('inclusions', (state) => {
  const { tokens, env } = state;
  for (let i = 0; i + 2 < tokens.length; i++) {
    if (tokens[i].type !== 'paragraph_open' || tokens[i + 1].type !== 'inline') continue;
    const inner = tokens[i + 1].children.filter((t) => !(t.type === 'html_inline' && t.content.startsWith('<!--')) && t.type !== 'softbreak');
    const html = inner.length === 1 && inner[0].type === 'image' ? drawing(inner[0], env, lineAt(env, tokens[i]))
      : inner.length > 2 && inner[0].type === 'link_open' && inner.at(-1).type === 'link_close' ? inclusion(inner, env, lineAt(env, tokens[i])) : null;
    if (html === null) continue;
    const block = new state.Token('inclusion', '', 0);
    block.content = html;
    tokens.splice(i, 3, block);
  }
});
md.renderer.rules.inclusion = (tokens, i) => tokens[i].content;

function inclusion(inner, env, line) {
  const region = /^([^#]+)#region=([\w-]+)$/.exec(inner[0].attrGet('href') ?? '');
  if (!region || inner.slice(1, -1).some((t) => t.type === 'link_open')) return null;
  const file = path.posix.join(path.posix.dirname(env.file), region[1]);
  const text = env.site.sourceText(file, env.file, line);
  const title = escape(inner.slice(1, -1).map((t) => t.content).join(''));
  const url = env.site.resolve(file, '', env, line);
  return codeBlock(withoutMarks(regionOrFail(text, region[2], file, env.file, line)), languageOf(file), url ? `<a href="${escape(url)}">${title}</a>` : title);
}

// The language of a file by its name.
export const languageOf = (file) => ({ '.cu': 'cuda', '.cuh': 'cuda', '.c': 'c', '.h': 'c', '.sh': 'bash', '.bash': 'bash', '.bats': 'bash' })[path.extname(file)] ?? '';

function drawing(token, env, line) {
  const source = token.attrGet('src') ?? '', alt = token.content.trim();
  if (!alt) fail(env.file, line, `the image ${source} has no text`, '![what a reader who does not see it must know](…): say it there.');
  if (/^[a-z]+:/i.test(source)) fail(env.file, line, `the image ${source} is on another host`, 'The site loads nothing from other hosts: put the file next to the page.');
  const file = path.posix.join(path.posix.dirname(env.file), source), at = path.join(env.site.root, file);
  if (!fs.existsSync(at)) fail(env.file, line, `there is no image ${file}`, 'Correct the path, or draw it.');
  if (!file.endsWith('.svg')) fail(env.file, line, `the image ${file} is not an SVG`, 'Drawings are SVG, so that they stay sharp and follow light and dark.');
  const redrawn = env.site.redrawn(file);
  if (redrawn) return redrawn;
  env.state.drawings += 1;
  return inlineSvg(fs.readFileSync(at, 'utf8'), `drawing-${env.state.drawings}`, alt, file, 0);
}

// Links and images in running text.
md.core.ruler.push('links', ({ tokens, env }) => {
  for (const block of tokens) {
    for (const token of block.children ?? []) {
      if (token.type === 'image') fail(env.file, lineAt(env, block), `the image ${token.attrGet('src')} stands in the middle of a text`, 'Put it into a paragraph of its own.');
      if (token.type === 'link_open') resolveLink(token, block, env);
    }
    unlink(block.children ?? []);
  }
});

function resolveLink(token, block, env) {
  const href = token.attrGet('href'), line = lineAt(env, block);
  if (/^(https?:|mailto:)/.test(href)) return;
  if (/^[a-z]+:|^\//i.test(href)) fail(env.file, line, `the link ${href} works on one machine only`, 'Links to files begin at the page\'s own folder.');
  const [target, anchor = ''] = decodeURI(href).split('#');
  if (!target) return;
  const url = env.site.resolve(path.posix.join(path.posix.dirname(env.file), target), anchor, env, line);
  if (url) token.attrSet('href', url);
  else token.meta = 'gone';
}

// A link to something that this site does not show becomes plain text.
function unlink(children) {
  let gone = false;
  for (const token of children) {
    if (token.type === 'link_open' && token.meta === 'gone') gone = true;
    else if (!(token.type === 'link_close' && gone)) continue;
    if (token.type === 'link_close') gone = false;
    Object.assign(token, { type: 'text', tag: '', content: '', nesting: 0 });
  }
}

// On lesson pages: the first use of each of the glossary's words, where the site has that page.
md.core.ruler.push('glossary', ({ tokens, env }) => { if (env.state.terms) linkTerms(tokens, env.state.terms); });

// The state that a page's parts share: used anchors, headings, the number of drawings, the scripts it needs.
export const newState = () => ({ ids: new Set(), headings: [], drawings: 0, scripts: new Set() });

// Takes Markdown and {site, file, line, url, state, marker}: the site's model, the file and line that the text comes from, the page's
// address, the shared state of the page's parts, and the function that replaces a marker. Returns HTML.
export function render(text, { line = 1, state = newState(), marker = () => '', ...given }) {
  return md.render(text, { line, state, marker, ...given });
}

// As render, for a text without paragraphs.
export function renderInline(text, { line = 1, state = newState(), marker = () => '', ...given }) {
  return md.renderInline(text, { line, state, marker, ...given });
}

// Takes Markdown as render does. Returns its blocks: [{type, html, source, rows}]: type is markdown-it's, without _open, or details; source is a
// paragraph's Markdown or the summary of details; rows is about how many lines it takes.
export function blocks(text, { line = 1, state = newState(), marker = () => '', ...given }) {
  const env = { line, state, marker, ...given }, tokens = md.parse(text, env), found = [];
  for (let i = 0; i < tokens.length; ) {
    const first = i, details = /^<details/.test(tokens[i].content);
    if (details) while (i < tokens.length && !(tokens[i].type === 'html_block' && /<\/details>\s*$/.test(tokens[i].content))) i++;
    else for (let depth = tokens[i].nesting; depth > 0; ) depth += tokens[++i].nesting;
    const part = tokens.slice(first, ++i);
    const source = details ? /<summary>(.*?)<\/summary>/.exec(part[0].content)?.[1] ?? '' : part.find((t) => t.type === 'inline')?.content ?? '';
    const rows = part.filter((t) => ['list_item_open', 'tr_open'].includes(t.type)).length || part[0].content.split('\n').length;
    const html = md.renderer.render(part, md.options, env);
    if (html.trim()) found.push({ type: details ? 'details' : part[0].type.replace(/_open$/, ''), html, source, rows });
  }
  return found;
}
