// The glossary, from glossary.txt: its page (default export), and links from a lesson's first use of each term (linkTerms).
import { readFileSync } from 'node:fs';
import { inline } from './inline.js';
import { slug } from './text.js';

// Takes nothing, or the text of a file like glossary.txt. Returns its terms: [{term, forms, text, id}], forms with the term first.
export function readTerms(text = readFileSync(new URL('./glossary.txt', import.meta.url), 'utf8')) {
  return text.replace(/^#.*\n/gm, '').trim().split(/\n\s*\n/).map((entry) => {
    const [head, ...rest] = entry.split('\n');
    const forms = head.split('|').map((form) => form.trim());
    return { term: forms[0], forms, text: rest.join(' '), id: slug(forms[0]) };
  });
}

// Returns the page's content: a list of definitions, in the alphabet's order. A term that is no term stops the build.
export default async function glossary() {
  const terms = readTerms();
  const known = new Map(terms.map((t) => [t.term, t]));
  const linked = (text) => text.replace(/\[\[([^\]]+)\]\]/g, (_, name) => {
    if (!known.has(name)) throw new Error(`site/lib/glossary.txt: [[${name}]] is no term: give a term's first form, or add one.`);
    return `[${name}](#${known.get(name).id})`;
  });
  const sorted = [...terms].sort((a, b) => a.term.localeCompare(b.term, 'en', { sensitivity: 'base' }));
  return ['<dl class="glossary">', ...sorted.map((t) => `<dt id="${t.id}">${t.term}</dt>\n<dd>${inline(linked(t.text))}</dd>`), '</dl>'].join('\n');
}

// linkTerms(tokens, {to, seen}): makes the first use of each term in markdown-it's tokens a link to the glossary, in place.
//   to    what stands before #term in a link, for example '../../pages/glossary/index.html'
//   seen  a Set of the terms linked so far; share it between the parts of one page
// It leaves headings, code, tables and existing links unchanged. Run it after the rules that resolve links:
//   md.core.ruler.push('glossary', ({tokens, env}) => { if (env.state.glossary) linkTerms(tokens, env.state.glossary); });
export function linkTerms(tokens, { to, seen = new Set() }) {
  let closed = 0; // > 0: within what is left alone
  for (const block of tokens) {
    if (/^(heading|table)_/.test(block.type)) closed += block.nesting;
    if (block.type === 'inline' && closed === 0) block.children = linkedChildren(block.children, to, seen);
  }
}

function linkedChildren(children, to, seen) {
  let depth = 0;
  return children.flatMap((token) => {
    if (/^link_|^html_inline$/.test(token.type)) depth += /^<a\b/.test(token.content) ? 1 : /^<\/a>/.test(token.content) ? -1 : token.nesting;
    return token.type === 'text' && depth === 0 ? linkedText(token, to, seen) : [token];
  });
}

function linkedText(token, to, seen) {
  const Token = token.constructor;
  const make = (type, tag, nesting, content = '') => Object.assign(new Token(type, tag, nesting), { content, level: token.level });
  const out = [];
  let rest = token.content;
  for (let found; (found = nextTerm(rest, seen)); rest = rest.slice(found.at + found.text.length)) {
    seen.add(found.id);
    const open = make('link_open', 'a', 1);
    open.attrs = [['href', `${to}#${found.id}`], ['class', 'term']];
    out.push(make('text', '', 0, rest.slice(0, found.at)), open, make('text', '', 0, found.text), make('link_close', 'a', -1));
  }
  out.push(make('text', '', 0, rest));
  return out.filter((t) => t.type !== 'text' || t.content);
}

let forms; // [{pattern, id}], the longest form first

function nextTerm(text, seen) {
  forms ??= readTerms().flatMap((t) => t.forms.map((form) => ({ form, id: t.id }))).sort((a, b) => b.form.length - a.form.length)
    .map(({ form, id }) => ({ id, pattern: new RegExp(`(?<![\\w-])${anyCase(form[0])}${form.slice(1)}(?![\\w-])`) }));
  let first = null;
  for (const { pattern, id } of forms) {
    if (seen.has(id)) continue;
    const match = pattern.exec(text);
    if (match && (!first || match.index < first.at)) first = { at: match.index, text: match[0], id };
  }
  return first;
}

// At the start of a sentence a term has a capital.
const anyCase = (letter) => `[${letter}${letter.toUpperCase()}]`;
