// Errors that a person can act on: which file, which line, what is wrong, what to do.

export class SiteError extends Error {}

// Takes a path relative to the checkout, a line (from 1; 0 if there is none), what is wrong, and the way out. Throws.
export function fail(file, line, what, way) {
  throw new SiteError(`${file}${line ? `:${line}` : ''}: ${what}${way ? `\n    ${way}` : ''}`);
}

// Takes a word and the words there are. Returns "Did you mean …? " for the nearest, or '' if none is near.
export function meant(word, words) {
  const near = words.map((w) => [distance(word.toLowerCase(), w.toLowerCase()), w]).sort(([a], [b]) => a - b)[0];
  return near && near[0] <= Math.max(1, Math.floor(word.length / 3)) ? `Did you mean ${near[1]}? ` : '';
}

// How many letters must be added, removed or replaced to make one word of the other (Levenshtein's distance).
function distance(a, b) {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) next[j] = Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] !== b[j - 1]));
    row = next;
  }
  return row[b.length];
}

// Takes a text and a pattern (string or RegExp). Returns the number of the first line that has it, from 1; 0 if none.
export function lineOf(text, pattern) {
  const lines = text.split('\n');
  const there = typeof pattern === 'string' ? (line) => line.includes(pattern) : (line) => pattern.test(line);
  return lines.findIndex(there) + 1;
}
