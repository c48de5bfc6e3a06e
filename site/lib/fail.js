// Errors that a person can act on: which file, which line, what is wrong, what to do.

export class SiteError extends Error {}

// Takes a path relative to the checkout, a line (from 1; 0 if there is none), what is wrong, and the way out. Throws.
export function fail(file, line, what, way) {
  throw new SiteError(`${file}${line ? `:${line}` : ''}: ${what}${way ? `\n    ${way}` : ''}`);
}

// Takes a text and a pattern (string or RegExp). Returns the number of the first line that has it, from 1; 0 if none.
export function lineOf(text, pattern) {
  const lines = text.split('\n');
  const there = typeof pattern === 'string' ? (line) => line.includes(pattern) : (line) => pattern.test(line);
  return lines.findIndex(there) + 1;
}
