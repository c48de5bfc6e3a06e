// The messages of the CPU backend's checker, from its sources, with the programs of tests/cpu that provoke them.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { argumentsAt, readC, readable, stringsIn } from './errors-c.js';

const RUNTIME = 'common/cpu/runtime';
const PROGRAMS = 'tests/cpu/programs/faulty';
const TOOLS = { TOOL_MEM: 'memcheck', TOOL_RACE: 'racecheck', TOOL_INIT: 'initcheck', TOOL_SYNC: 'synccheck', TOOL_LEAK: 'leakcheck' };
const BEFORE = { reason: 'kernel … was not launched: ', what: 'thread … of block … ' }; // what another function puts in front

/** {root} -> the sources of the runtime, room by room, and of the libraries. */
export function backendSources(root) {
  const rooms = readdirSync(join(root, RUNTIME)).sort().map((room) => `${RUNTIME}/${room}`);
  return [...rooms, 'common/cpu/libraries'].flatMap((folder) =>
    readdirSync(join(root, folder)).filter((name) => /\.[ch]$/.test(name)).sort().map((name) => `${folder}/${name}`));
}

/** {root} -> [{tool, message, causes: [text], examples: [{what, wrong, right, file}]}], in the sources' order. */
export function checkerMessages(root) {
  const messages = [];
  const sources = backendSources(root).map((name) => ({ name, ...readC(readFileSync(join(root, name), 'utf8')) }));
  const shared = Object.assign({}, ...sources.filter((file) => file.name.startsWith(RUNTIME)).map((file) => file.names));
  for (const file of sources.filter(({ name }) => name.endsWith('.c'))) {
    file.names = { ...shared, ...file.names };
    for (const part of file.functions) messages.push(...messagesOf(part.tokens, file, file.name.endsWith('/sync.c') ? 'synccheck' : 'memcheck'));
  }
  const unique = joinedBy(messages);
  addExamples(unique, faultyPrograms(root));
  return unique;
}

// The same message from two places: one, with the causes of both.
function joinedBy(messages) {
  const found = new Map();
  for (const m of messages) {
    const key = `${m.tool} ${m.message}`;
    const old = found.get(key);
    if (old) old.causes.push(...m.causes.filter((cause) => !old.causes.includes(cause)));
    else found.set(key, m);
  }
  return [...found.values()];
}

// A function's messages: the texts that it prints into a sentence, or passes to report and similar functions, with the causes that follow.
function messagesOf(tokens, file, usual) {
  const found = [], causes = [];
  let tool = usual;
  tokens.forEach((token, i) => {
    if (TOOLS[token.text]) tool = TOOLS[token.text];
    if (token.text === 'cause' && tokens[i + 1]?.text === '=') causes.push({ at: i, texts: causesAt(tokens, i + 2, file) });
    if (token.kind !== 'word' || tokens[i + 1]?.text !== '(') return;
    const { list } = argumentsAt(tokens, i + 1);
    if (token.text === 'snprintf') {
      const into = list[0].at(-1)?.text, format = list[2]?.[0];
      if (!['sentence', 'reason', 'what', 'text'].includes(into) || format?.kind !== 'string') return;
      if (into === 'text' && !tokens.some((t) => t.text === 'work_finding')) return;
      const message = (BEFORE[into] ?? '') + readable(format.text, list.slice(3));
      if (into === 'text') tool = TOOLS[tokens.slice(i).find((t) => TOOLS[t.text])?.text] ?? tool;
      if (/[a-z]{3}.* .*[a-z]{3}/.test(message.replace(BEFORE[into] ?? '', ''))) found.push({ at: i, tool, message });
    } else if (/^(report|check_bad_handle|work_finding)$/.test(token.text)) {
      const texts = list.flatMap((argument) => stringsIn(argument, file)).filter((text) => text.length > 24);
      const cause = texts.at(-1);
      if (!cause) return;
      if (texts.length > 1 && !list.some((argument) => argument[0]?.text === 'sentence')) {
        const call = token.text === 'check_bad_handle' ? 'cuda… ' : '';
        const who = texts[0].startsWith('executes') ? BEFORE.what : call;
        found.push({ at: i - 1, tool, message: who + readable(texts[0], []) });
      }
      causes.push({ at: i, texts: [cause] });
    }
  });
  return found.map(({ at, tool: its, message }, k) => {
    const end = found[k + 1]?.at ?? Infinity;
    const own = causes.filter((c) => c.at > at && c.at < end);
    const other = causes.filter((c) => c.at < at).slice(-1);
    const chosen = own.length ? own : other.length ? other : causes.filter((c) => c.at > at).slice(0, 1);
    return { tool: its, message, causes: [...new Set(chosen.flatMap((c) => c.texts))], examples: [] };
  }).filter((m) => m.causes.length);
}

function causesAt(tokens, from, file) {
  let end = from, depth = 0;
  for (; end < tokens.length; end++) {
    const { kind, text } = tokens[end];
    if (kind === 'sign' && '([{'.includes(text)) depth++;
    if (kind === 'sign' && ')]}'.includes(text) && depth-- === 0) break;
    if (depth === 0 && kind === 'sign' && (text === ';' || text === ',')) break;
  }
  return stringsIn(tokens.slice(from, end), file).filter((text) => text.includes(' '));
}

// ---- The programs ----

/** {root} -> [{file, tools, says: [[alternative]], what, wrong, right}] */
export function faultyPrograms(root) {
  if (!existsSync(join(root, PROGRAMS))) return []; // the learners' edition comes without the tests
  return readdirSync(join(root, PROGRAMS)).filter((name) => name.endsWith('.cu')).sort().map((file) => {
    const source = readFileSync(join(root, PROGRAMS, file), 'utf8');
    const heads = (key) => [...source.matchAll(new RegExp(`^// ${key}: (.*)$`, 'gm'))].map((m) => m[1]);
    return {
      file,
      tools: (heads('expect')[0] ?? '').split(':')[0].replace(/ warning$/, '').split('+'),
      says: heads('says').flatMap((line) => line.split(';')).map((words) => words.split('|').map((word) => word.trim())),
      what: (source.match(/\/\*\s*([\s\S]*?)\s*\*\//)?.[1] ?? '').replace(/\s+/g, ' '),
      ...variants(source),
    };
  });
}

// The lines that differ: {wrong: [line], right: [line]}.
function variants(source) {
  const wrong = [], right = [];
  let side = '';
  for (const line of source.split('\n')) {
    if (/^#ifdef FIXED/.test(line)) side = 'right';
    else if (/^#ifndef FIXED/.test(line)) side = 'wrong';
    else if (/^#else/.test(line) && side) side = side === 'right' ? 'wrong' : 'right';
    else if (/^#endif/.test(line)) side = '';
    else if (side && line.trim()) (side === 'right' ? right : wrong).push(line.replace(/\s*\/\/ <- at.*$/, ''));
  }
  return { wrong: unindented(wrong), right: unindented(right) };
}

function unindented(lines) {
  const indent = Math.min(...lines.map((line) => line.search(/\S/)));
  return lines.map((line) => line.slice(indent));
}

// Each program goes to the message, and there to the cause, that holds most of the words that its report must hold.
function addExamples(messages, programs) {
  const inMessages = rarity(messages.map((m) => [m.message, ...m.causes].join(' ')));
  for (const program of programs) {
    const likely = messages.filter((m) => program.tools.includes(m.tool));
    const message = best(likely, (m) => score(program, m.message, inMessages) * 2 + score(program, m.causes.join(' '), inMessages));
    if (!message) continue;
    const inCauses = rarity(message.causes);
    const cause = best(message.causes.filter((text) => names(program, text)), (text) => score(program, text, inCauses));
    message.examples.push({ ...program, cause: message.causes.indexOf(cause) });
  }
}

// The words of a text. They are cached, because each text is used many times.
const read = new Map();
function words(text) {
  if (!read.has(text)) read.set(text, text.replace(/`[^`]*`/g, ' ').match(/[A-Za-z_]{2,}|<=|%/g) ?? []);
  return read.get(text);
}

// The weight of a word: the more texts contain it, the lower.
function rarity(texts) {
  const count = new Map();
  for (const text of texts) for (const word of new Set(words(text))) count.set(word, (count.get(word) ?? 0) + 1);
  return (word) => 1 / (count.get(word) ?? Infinity);
}

function score(program, text, weight) {
  const there = new Set(words(text));
  const likeness = (phrase) => words(phrase).reduce((sum, word) => sum + (there.has(word) ? weight(word) : 0), 0);
  return program.says.reduce((sum, any) => sum + Math.max(...any.map(likeness)), 0);
}

// Is one of the phrases that must be in the report, without alternatives, in this cause?
function names(program, cause) {
  return program.says.some((any) => any.length === 1 && cause.includes(any[0]));
}

function best(list, value) {
  const values = list.map(value), most = Math.max(0, ...values);
  return most > 0 ? list[values.indexOf(most)] : undefined;
}
