// The page "Common errors": every message that a learner may meet, from the sources that print it, with what to do.
// <!-- site: content errors --> puts it into site/pages/errors.md. errorList({root}) gives the same as data, for tests.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkerMessages } from './errors-checker.js';
import { cudaErrors, gpuMessages, harnessMessages, ideaMessages, lessonMistakes, refusals, stopMessages } from './errors-others.js';
import { inline } from './inline.js';
import { escape, slug } from './text.js';

const TOOLS = {
  memcheck: 'A kernel, a copy or the host accessed memory that it must not access. Go to the line after `at`, and compare the `index` line with the number of elements.',
  racecheck: 'Two accesses, at least one of them a write, and nothing says which comes first. `at` is the one, `other` the other. Put an order between them (barrier, wait, event), make the update atomic, or give each its own memory.',
  initcheck: 'Something was read before anybody wrote it. Look for the write that should have come before: a copy, a memset, a kernel, another thread of the block.',
  synccheck: 'A barrier or a warp function that not everybody reaches. On a GPU the program hangs here, or the value is undefined. Bring the call out of the branch.',
  leakcheck: 'Something was made and not given back. Count the ways out of your function, those after an error too: each must pass the free.',
};

const STYLE = `.find-error input { width: 100%; box-sizing: border-box; padding: .5em .8em; font: inherit; color: var(--text); background: var(--page); border: 1px solid var(--muted); border-radius: 8px; }
.errors dt { margin-top: 1.2em; overflow-wrap: anywhere; } .errors dd { margin-left: 0; } .errors dd > p { margin: .3em 0; }
.errors ins, .errors del { text-decoration: none; } .errors ins { color: var(--good); } .errors del { color: var(--bad); }`;

/**
 * {root, workshop} -> [{title, about, items: [{message, todo: [Markdown], examples}]}]: all groups, in the page's order.
 * Messages of lessons that the workshop leaves out are left out, too.
 */
export function errorList({ root, workshop }) {
  const checker = checkerMessages(root);
  const here = (lesson) => !workshop || workshop.lessons.includes(lesson);
  const link = (lesson, pattern, text) => (!here(lesson) ? text : `[${text}](../../lessons/${lesson}/index.html#${anchor(root, lesson, pattern)})`);
  const tools = Object.entries(TOOLS).map(([tool, about]) => ({
    title: tool,
    about,
    items: checker.filter((m) => m.tool === tool).map((m) => ({ message: `${tool}: ${m.message}`, todo: m.causes, examples: m.examples, usually: true })),
  }));
  const hints = ({ lesson, task }) =>
    task === null ? link(lesson, /^Task 1:/, lesson)
    : task === 0 ? link(lesson, /^Go further/, `${lesson}, go further`)
    : link(lesson, new RegExp(`^Task ${task}:`), `${lesson}, task ${task}`);
  return [
    {
      title: 'Lesson by lesson',
      about: 'From the tables “Common mistakes” of the lessons’ pages.',
      items: lessonMistakes(root).filter((m) => here(m.lesson)).map((m) => ({ markdown: m.message, message: m.message, todo: [`${m.todo} (${link(m.lesson, /^Common mistakes/, m.lesson)})`], usually: true })),
    },
    ...tools,
    { title: 'How a call of your function ended', about: 'The grader puts the task and the size in front: `scale_array, n = 257: …`. Repeat that size alone with `build/cpu/lessonNN --task N --size …`.', items: harnessMessages(root) },
    { title: 'CUDA’s errors by name', about: 'What usually causes each.', items: cudaErrors(root).map((m) => ({ ...m, usually: true })) },
    {
      title: 'Right, but the idea was not used',
      about: 'From counters and timelines, not from reading your source. The message says what was counted; the hints say how to get there.',
      items: ideaMessages(root).filter((m) => here(m.lesson)).map((m) => ({
        message: m.message,
        todo: [`The hints of ${hints(m)}.`],
      })),
    },
    { title: 'A GPU that can’t be used', about: 'More on the page [No GPU, or a driver too old](../no-gpu/index.html).', items: gpuMessages(root) },
    { title: 'Refused: the file uses features that the lesson does not allow', about: 'Nothing of the file was run.', items: refusals(root) },
    { title: 'Stopped before a verdict', about: 'From the grader and from jobs, with status 2 or 3. None of these is about your answer.', items: stopMessages(root) },
  ];
}

// The anchor of the first heading of a lesson's page that matches.
function anchor(root, lesson, pattern) {
  const headings = [...readFileSync(join(root, `lessons/${lesson}/README.md`), 'utf8').matchAll(/^## (.*)$/gm)].map((m) => m[1]);
  const found = headings.find((text) => pattern.test(text));
  if (!found) throw new Error(`lessons/${lesson}/README.md: no heading ${pattern}: the page of common errors leads there.`);
  return slug(found.replace(/[`*]/g, ''));
}

/** {root, workshop} -> Markdown: headings, and under each a block of HTML without empty lines. */
export default async function errors({ root, workshop }) {
  const groups = errorList({ root, workshop });
  const script = readFileSync(new URL('./errors-find.js', import.meta.url), 'utf8').replace(/^\/\/.*\n/gm, '').replace(/^ +/gm, '').trim();
  const count = groups.reduce((sum, group) => sum + group.items.length, 0);
  return [
    `<style>${STYLE}</style>`,
    `<div class="find-error" hidden><label for="find-error">Paste the message, or a few of its words</label>
<input id="find-error" type="search" autocomplete="off" spellcheck="false"><p role="status">${count} messages.</p></div>`,
    ...groups.flatMap((group) => [`## ${group.title}`, groupHtml(group)]),
    `<script>${script}</script>`,
  ].join('\n\n');
}

function groupHtml(group) {
  return ['<div class="errors">', `<p>${inline(group.about)}</p>`, '<dl>', ...group.items.map(itemHtml), '</dl></div>'].join('\n');
}

function itemHtml(item) {
  const title = item.markdown ? inline(item.markdown) : `<code>${escape(item.message)}</code>`;
  const first = item.usually ? 'Usually' : 'What to do';
  const loose = (item.examples ?? []).filter((example) => example.cause < 0);
  const todo = item.todo.map((text, i) => {
    const own = (item.examples ?? []).filter((example) => example.cause === i);
    return `${inline(quoted(text))}${examplesHtml(own)}`;
  });
  return [
    '<div class="error">',
    `<dt>${title}</dt>`,
    `<dd>${todo.length > 1 ? `<p>${first}:</p><ul><li>${todo.join('</li><li>')}</li></ul>` : `<div><strong>${first}:</strong> ${todo[0]}</div>`}${examplesHtml(loose)}</dd>`,
    '</div>',
  ].join('\n');
}

// A cause from C has no backticks around its code; calls and CUDA's names get them.
function quoted(text) {
  if (text.includes('`')) return text;
  return text.replace(/<<<[^>]*>>>|\b(?:cuda|cublas|nccl|CUCC_|CUBLAS_)\w+(?:\([^()]*\))?|\b__\w+(?:\([^()]*\))?|\b\w+\[\w\]\[\w\]/g, '`$&`');
}

function examplesHtml(examples) {
  if (!examples.length) return '';
  const title = examples.length === 1 ? 'For example' : `${examples.length} examples`;
  return `<details><summary>${title}</summary>${examples.map(exampleHtml).join('')}</details>`;
}

function exampleHtml({ what, wrong, right }) {
  const lines = (list, mark, tag) => list.map((line) => `<${tag}>${mark} ${escape(line)}</${tag}>`).join('&#10;');
  const both = [lines(wrong, '−', 'del'), lines(right, '+', 'ins')].filter(Boolean).join('&#10;');
  return `<p>${inline(what)}</p>${both ? `<pre tabindex="0"><code>${both}</code></pre>` : ''}`;
}
