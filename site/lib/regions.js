// Parts of source files: marked regions, and the code of a task.
import { fail } from './fail.js';

const begins = /^\s*(?:\/\/|#|\/\*)\s*#region ([\w-]+)/, ends = /^\s*(?:\/\/|#|\/\*)\s*#endregion/;

// Takes a source file's text. Returns it without the marks of regions, and without the starter's lines that a solution carries (`//:`).
export function withoutMarks(text) {
  return text.split('\n').filter((line) => !begins.test(line) && !ends.test(line) && !/^\s*\/\/:/.test(line)).join('\n');
}

// Takes a source file's text. Returns its regions, {name, lines}; lines without blank ones and without the starter's.
export function regionsOf(text) {
  const regions = [];
  let open = null;
  for (const line of text.split('\n')) {
    const start = begins.exec(line);
    if (start) regions.push((open = { name: start[1], lines: [] }));
    else if (ends.test(line)) open = null;
    else if (open && line.trim() && !/^\s*\/\/:/.test(line)) open.lines.push(line.trim());
  }
  return regions;
}

// Cuts a C file at the blank lines outside of braces and comments. Returns a list of texts.
function blocks(text) {
  const found = [[]];
  let depth = 0, comment = false;
  for (const line of text.split('\n')) {
    if (!line.trim() && depth === 0 && !comment) found.push([]);
    else found.at(-1).push(line);
    const code = line.replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\/\/.*$|\/\*.*?\*\//g, '');
    if (code.includes('/*')) comment = true;
    if (code.includes('*/')) comment = false;
    if (!comment && !begins.test(line)) depth += (code.match(/\{/g)?.length ?? 0) - (code.match(/\}/g)?.length ?? 0);
  }
  return found.map((lines) => lines.join('\n')).filter((block) => block.trim());
}

// Takes a file's text and a region's name. Returns the code: the lines between `// #region NAME` and its end, or, in a file without
// such marks, the functions that say TODO for that task (NAME is task-1, task-2, … or task-further); '' if there is neither.
export function regionText(text, name) {
  const lines = text.split('\n'), parts = [];
  let open = null;
  for (const line of lines) {
    if (begins.exec(line)?.[1] === name) parts.push((open = []));
    else if (ends.test(line)) open = null;
    else if (open && !begins.test(line) && !/^\s*\/\/:/.test(line)) open.push(line);
  }
  if (parts.length) return parts.map(dedent).join('\n\n');
  return taskText(text, name);
}

// Takes a starter's or a solution's text and a task's region. Returns the whole functions that the task is about.
export function taskText(text, name) {
  const todo = name === 'task-further' ? /TODO go further/i : new RegExp(`TODO ${name.replace('-', ' ')}\\b`);
  return blocks(text)
    .filter((block) => block.split('\n').some((line) => begins.exec(line)?.[1] === name) || (!/#region/.test(block) && todo.test(block)))
    .map(withoutMarks).join('\n\n');
}

function dedent(lines) {
  const indent = Math.min(...lines.filter((l) => l.trim()).map((l) => /^ */.exec(l)[0].length));
  return lines.map((l) => l.slice(indent)).join('\n');
}

// As regionText, but stops the build when there is no such region. `file` and `line` are the place that names the region.
export function regionOrFail(text, name, source, file, line) {
  const code = regionText(text, name);
  const there = [...new Set([...text.matchAll(/#region ([\w-]+)/g)].map((m) => m[1]))];
  if (!code) fail(file, line, `${source} has no region ${name}`, there.length ? `It has: ${there.join(', ')}.` : `Mark one with // #region ${name} and // #endregion ${name}.`);
  return code;
}
