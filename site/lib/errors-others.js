// The messages of the harness, the grader, the jobs and the lessons' pages, from their sources.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { argumentsAt, readC, readable } from './errors-c.js';
import { readPlan } from './plan.js';

const read = (root, name) => readFileSync(join(root, name), 'utf8');

/** {root} -> [{reason, message, todo}]: the reasons why a GPU cannot be used, from common/, and the grader's advice. */
export function gpuMessages(root) {
  const { functions } = readC(read(root, 'common/harness/device/open_cuda.c'));
  const ways = Object.fromEntries([...read(root, 'grader/lib/run.bash').matchAll(/^ +(\w+|\*)\) way_out="((?:[^"\\]|\\.)*)"/gm)]
    .map(([, reason, text]) => [reason, shell(text)]));
  return functions.flatMap(({ tokens }) => calls(tokens, 'REFUSE').map(({ list }) => {
    const [reason, format] = [list[1][0].text, list[2][0].text];
    const [message, todo] = halves(readable(format, list.slice(3)));
    return { reason, message, todo: [todo, ways[reason] ?? ways['*']].filter(Boolean) };
  }));
}

/** {root} -> [{message, todo}]: CUDA's errors by name, and their usual causes. */
export function cudaErrors(root) {
  const text = read(root, 'common/harness/base/explain.c');
  return [...text.matchAll(/\{"(cudaError\w+)",\s*((?:"(?:[^"\\]|\\.)*"\s*)+)\}/g)].map(([, name, cause]) => ({
    message: name,
    todo: [cause.match(/"[^"]*"/g).map((part) => part.slice(1, -1)).join('').replace('%s', '')],
  }));
}

// Advice for what the harness reports about a call. It is kept here, because the harness only says what happened.
const HARNESS = [
  [/is no CUDA error/, 'Return the `cudaError_t` of the call that failed, or `cudaSuccess`: a value of your own means nothing to the caller.'],
  [/answer of a query/, 'Wait with `cudaStreamSynchronize` or `cudaEventSynchronize`, or ask again in a loop; return success when the work is done.'],
  [/was not checked/, 'Check the return value of every CUDA call, call `cudaGetLastError()` immediately after a launch, and return the first error.'],
  [/was not complete when/, 'Wait for the work that your function has queued before it returns: `cudaStreamSynchronize` on each stream of its own, or as the contract in the header says.'],
  [/more memory than there is|not enough memory|no memory left/, 'Your answer is not the cause: end other programs, or grade on a machine with more memory.'],
  [/no answer after/, 'Look for a loop that never ends: print its counter, or run the smallest size by itself (`build/cpu/lessonNN --task N --size …`).'],
  [/interrupted|no process could be started|device can.t be used|exceeds 128 KiB|too many findings/, 'Your answer is not the cause: run it again.'],
  [/connection|belongs to the harness/, 'Remove code that closes files or writes to them: no lesson needs it.'],
  [/wrote to its input/, 'Make the pointer `const`: the compiler then names the line that writes.'],
  [/wrote … of|before the start|past the end/, 'Compare the loop, or the guard, with the number of elements: `<`, not `<=`. On the CPU backend memcheck names the line; in plain C asan does.'],
  [/before that … failed/, 'Look at that call first: return its own error, and the message will name the line.'],
  [/it lost the error of/, 'Keep the first error in a variable, skip what depends on it, and return that variable at the end.'],
  [/no CUDA call in it failed/, 'Compare what your function does for these values with its contract: it must return the error that the contract names.'],
  [/must return an error|error is pending/, 'Check the return value of every CUDA call, call `cudaGetLastError()` immediately after a launch, and return the first error.'],
  [/correctly returned an error/, 'Stop at the first error: no copies, no launches after it; free all memory, then return the error.'],
  [/it returned|ended with|after the call|no longer works/, 'Look up the error’s name in the next table; the checker’s report below the message names the line.'],
  [/ended the program|exit/, 'Return the error instead of calling `exit`: the harness needs the return value.'],
  [/segmentation fault|bus error/, 'Build and run it in gdb, or run `make sanitize LESSON=lessonNN`. Common causes: a device pointer on the host, a missing `malloc`, and an index past the end.'],
  [/from a cudaMemset/, 'Let a kernel set the elements: only a number whose bytes are all equal can be set by `cudaMemset`.'],
  [/division by zero/, 'A size is 0: test for it before you divide.'],
  [/illegal instruction|trap|aborted|ended by signal/, 'Read the warnings of the compiler (they are on). Common causes: a function without `return`, a failed `assert`.'],
  [/killed \(SIGKILL\)/, 'It used more memory than the machine has: look for an allocation in a loop, or a size in elements times elements.'],
  [/failed: |before the first call|%s/, 'Look up the error’s name in the next table.'],
];

/** {root} -> [{message, todo}]: the harness's messages about a call. */
export function harnessMessages(root) {
  const found = ['common/harness/run/runner.c', 'common/harness/run/case.c', 'common/harness/base/exit_status.c', 'common/harness/run/task.c'].flatMap((name) => {
    const file = readC(read(root, name));
    return file.functions.flatMap(({ tokens }) => [
      ...calls(tokens, 'wb_runner_fail').map(({ list }) => ({ format: list[2]?.[0], rest: list.slice(3) })),
      ...(/exit_status|runner/.test(name) ? calls(tokens, 'wb_text_add').map(({ list }) => ({ format: list[1]?.[0], rest: list.slice(2) })) : []),
    ]);
  });
  const messages = found.filter(({ format }) => format?.kind === 'string').map(({ format, rest }) => readable(format.text, rest))
    .filter((message) => /[a-z]{3}.* .*[a-z]{3}/.test(message) && !/^[.;,]|^ *… *$/.test(message));
  return [...new Set(messages)].map((message) => ({ message, todo: advice(HARNESS, message) }));
}

// Advice for messages that stop a grading and give no advice themselves.
const STOPS = [
  [/^cannot look at/, 'The lines below it say why the file could not be read. Save it as plain text, then try again; if it goes on, send the file to your instructor.'],
  [/WORK names/, 'Make that folder first (`mkdir`), or leave out `WORK`.'],
  [/symbolic link|plain file|larger than/, 'Put the file itself there: the text file that the lesson’s page names.'],
  [/no check could be measured/, 'The lines above say why for each check; `./bootstrap --check` says what is missing on this machine.'],
  [/error in grader|own part|supervisor|make backends|reads the tokens|objdump and nm/, 'Your answer is not the cause: send these lines to your instructor.'],
  [/BACKEND=|no option|no folder|--solution/, 'Use one of the values in the message; `bash jobs/run.sh --help` lists all options.'],
  [/needs …/, '`./bootstrap` installs what is missing, or says which module to load.'],
  [/has no …, it has|is not declared/, '`make cluster` alone shows the options of the profile that is set; `jobs/clusters/README.md` explains how to write one.'],
  [/see its permissions/, '`chmod u+r` on it, or copy it anew.'],
  [/cannot read the tokens/, 'The message above it says why: correct the line that it names.'],
  [/there is no …/, 'Use one of the names in the message.'],
  [/cannot lock|temporary folder/, 'Check whether the disk is full (`df -h .`) and whether the folder is yours; `WORK=DIR` builds in another folder.'],
  [/cannot write|can't write/i, 'Check whether the disk is full (`df -h .`) and whether the folder is yours; `WORK=DIR` builds in another folder.'],
  [/module .* does not load/, '`module avail` shows the names on this cluster.'],
  [/not measured on the GPU/, 'Submit the job again; if it happens twice, show the log to your instructor.'],
  [/can't see/, 'Move the checkout to a file system that the compute nodes share.'],
];

/** {root} -> [{where, message, todo}]: the messages that stop the grader or a job before it has a verdict. */
export function stopMessages(root) {
  const sources = [['grader/lib', /\.bash$/, 'stop'], ['grader', /^check$/, 'stop'], ['jobs', /\.sh$/, 'refuse'],
    ['jobs/lib', /\.bash$|-in-job$/, 'die'], ['jobs/lib', /\.bash$/, 'stop']];
  const found = sources.flatMap(([folder, pattern, verb]) =>
    readdirSync(join(root, folder)).filter((name) => pattern.test(name) && !/^class|^similar|^formats/.test(name)).sort()
      .flatMap((name) => bashCalls(read(root, join(folder, name)), verb).map(([first, ...rest]) => {
        const [message, second] = halves(first);
        return { where: folder.split('/')[0], message, todo: [second, ...rest].filter((text) => /[a-z]{3}/.test(text)) };
      })));
  const unique = [...new Map(found.map((item) => [item.message, item])).values()].filter(({ message }) => /[a-z]{3}.* .*[a-z]{3}/.test(message));
  return unique.map((item) => ({ ...item, todo: item.todo.length ? item.todo : advice(STOPS, item.message) }));
}

/** {root} -> [{message, todo}]: the forbidden constructs of a file, with advice. */
export function refusals(root) {
  const source = read(root, 'grader/lib/inspect.bash');
  const end = halves(shell(source.match(/printf '%s' '(Remove it[^']*)'/)[1]))[0];
  const texts = [
    ...[...source.matchAll(/\brefusal "?[^"\s]+(?:[^"\n]*\))?"? "((?:[^"\\]|\\[\s\S])*)"/g)].map((m) => m[1]),
    ...[...source.matchAll(/\) echo "((?:[^"\\]|\\.)*)"/g)].map((m) => m[1]),
  ];
  return [...new Set(texts.map(shell))].filter((text) => /[a-z]{3}/.test(text)).map((message) => ({ message, todo: [end] }));
}

/** {root} -> [{lesson, task, message}]: the messages of a lesson's checks when a solution does not use its idea. */
export function ideaMessages(root) {
  return readdirSync(join(root, 'grader/checks')).filter((name) => /^lesson\d\d\.bats$/.test(name)).sort().flatMap((name) => {
    const lesson = name.replace('.bats', '');
    return readPlan(root, lesson).counter_texts.map(({ task, text }) => ({ lesson, task, message: text.replace(/\{[^}]*\}/g, '…') }));
  });
}

/** {root} -> [{lesson, message, todo}]: the tables "Common mistakes" of the lessons' pages, as Markdown. */
export function lessonMistakes(root) {
  return readdirSync(join(root, 'lessons')).filter((name) => /^lesson\d\d$/.test(name)).sort().flatMap((lesson) => {
    const part = read(root, `lessons/${lesson}/README.md`).split(/^## /m).find((text) => text.startsWith('Common mistakes')) ?? '';
    return part.split('\n').filter((line) => line.startsWith('|')).slice(2).map((line) => {
      const [message, todo] = line.split(/(?<!\\)\|/).slice(1, 3).map((cell) => cell.trim());
      return { lesson, message, todo };
    });
  });
}

// ---- Helpers ----

function calls(tokens, name) {
  return tokens.flatMap((token, i) => (token.text === name && tokens[i + 1]?.text === '(' ? [argumentsAt(tokens, i + 1)] : []));
}

function advice(rules, message) {
  return rules.filter(([pattern]) => pattern.test(message)).slice(0, 1).map(([, text]) => text);
}

// "what happened: what to do" or "What happened. What to do."
function halves(text) {
  const [, first, rest] = text.match(/^(.{20,}?)(?:\. |: (?=[a-z])|; (?=without))(.*)$/) ?? [];
  return first ? [first, rest] : [text, ''];
}

// The strings after `verb STATUS`: [[first, further...]].
function bashCalls(source, verb) {
  return [...source.replace(COMMAND, '…').matchAll(new RegExp(`\\b${verb} \\d ((?:"(?:[^"\\\\]|\\\\[\\s\\S])*"(?:\\s|\\\\\\n)*)+)`, 'g'))]
    .map(([, strings]) => [...strings.matchAll(/"((?:[^"\\]|\\[\s\S])*)"/g)].map((m) => shell(m[1])));
}

const COMMAND = /(?<!\\)\$\((?:[^()]|\([^()]*\))*\)/g;

// A string of bash as it would be printed, with … for what only a run knows.
function shell(text) {
  let plain = text.replace(/\\\n/g, '');
  for (let before = ''; before !== plain;) {
    before = plain;
    plain = plain.replace(COMMAND, '…').replace(/(?<!\\)\$\{[^{}]*\}/g, '…');
  }
  return plain.replace(/(?<!\\)\$\w+/g, '…').replace(/\\([$`"\\])/g, '$1');
}
