// Helpers that every page needs.
import path from 'node:path';

// Takes text. Returns it escaped for HTML, for content and for attributes.
export function escape(text) {
  return String(text).replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c]);
}

const named = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' };

// Takes HTML's text. Returns it without entities.
export function unescape(text) {
  return text.replace(/&(?:#(\d+)|#x([0-9a-f]+)|([a-z]+));/gi, (all, decimal, hex, name) =>
    decimal ? String.fromCodePoint(+decimal) : hex ? String.fromCodePoint(parseInt(hex, 16)) : (named[name] ?? all));
}

// Takes HTML. Returns the visible text: no tags, scripts, styles or comments, and no entities.
export function visible(html) {
  return unescape(html.replace(/<!--[\s\S]*?-->|<(script|style)\b[\s\S]*?<\/\1>|<[^>]*>/g, (tag) =>
    /^<\/?(p|div|li|td|th|tr|h\d|pre|br|summary|details|section|figure|dt|dd)\b/i.test(tag) ? ' ' : ''));
}

// Takes a heading's text. Returns the same anchor as GitHub, so that links work there and here.
export function slug(text) {
  return text.toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, '').trim().replace(/\s/g, '-');
}

// Takes two addresses within the site. Returns the relative link from the first to the second, its #anchor kept.
export function relative(from, to) {
  const [page, anchor] = to.split('#');
  const link = page === from && anchor ? '' : path.posix.relative(path.posix.dirname(from), page);
  return link + (anchor ? `#${anchor}` : '');
}

// Takes a number of minutes. Returns it in words: 45 min, 2 h, 1 h 15 min.
export function duration(minutes) {
  const hours = Math.floor(minutes / 60), rest = minutes % 60;
  return [hours ? `${hours} h` : '', rest || !hours ? `${rest} min` : ''].filter(Boolean).join(' ');
}
