// Checks of the site's own pages, for tests/site/pages.bats: what they show exists, what they quote is said somewhere.
//   node site/pages/check.js HELP     in the checkout's folder; HELP: a file with what `make help` and `grader/check --help` print
// Prints "NAME" for each check, and "NAME: complaint" for each thing that is not as it should be.
import fs from 'node:fs';
import cluster from '../lib/cluster.js';
import { backendSources, faultyPrograms } from '../lib/errors-checker.js';
import { errorList } from '../lib/errors.js';
import glossary, { linkTerms, readTerms } from '../lib/glossary.js';
import licence from '../lib/licence.js';
import mistakes from '../lib/mistakes.js';
import needs from '../lib/needs.js';
import { readFacts } from '../lib/lessons.js';
import { tasksOf } from '../lib/tasks.js';
import { row } from '../lib/timing.js';

const root = process.cwd();
const read = (name) => fs.readFileSync(name, 'utf8');
const count = (text, pattern) => (text.match(pattern) ?? []).length;
const lessons = fs.readdirSync('lessons').filter((name) => /^lesson\d\d$/.test(name));
const workshop = { lessons };
const groups = errorList({ root, workshop });
const items = groups.flatMap((g) => g.items);
const group = (title) => groups.find((g) => g.title.startsWith(title)).items;
const pages = fs.readdirSync('site/pages').filter((name) => name.endsWith('.md')).map((name) => ({ name, text: read(`site/pages/${name}`) }));
const field = (page, key) => new RegExp(`^${key}: (.*)$`, 'm').exec(page.text.split('\n---\n')[0])?.[1] ?? '';
const missing = (words, text) => words.filter((word) => !text.includes(word));

const checks = {
  'what to do': () => items.filter((i) => !i.message || !i.todo.length || !i.todo.every((t) => /[a-z]{3}/.test(t))).map((i) => i.message),
  'plain words': () => items.map((i) => i.message).filter((m) => /\$[({]|%[sdu]|\\[(n"]/.test(m)),
  causes: () => {
    const sources = backendSources(root).filter((name) => name.endsWith('.c')).map(read);
    const given = [...sources.join('\n').matchAll(/cause = *\n? *"([^"\\]{12,40})/g)].map((m) => m[1]);
    return given.length < 40 ? [`only ${given.length} causes in the sources`] : missing(given, items.flatMap((i) => i.todo).join('\n'));
  },
  programs: () => {
    const shown = new Set(items.flatMap((i) => i.examples ?? []).map((e) => e.file));
    return faultyPrograms(root).filter((p) => !shown.has(p.file) || !p.what || !(p.wrong.length + p.right.length)).map((p) => p.file);
  },
  numbers: () => Object.entries({
    CUDA: count(read('common/harness/base/explain.c'), /\{"cudaError/g),
    'A GPU': count(read('common/harness/device/open_cuda.c'), /return REFUSE\(/g),
    Right: fs.readdirSync('grader/checks').filter((n) => n.endsWith('.bats')).reduce((sum, n) => sum + count(read(`grader/checks/${n}`), /^ *counter |\{ counter |\|\| counter /gm), 0),
    Lesson: lessons.reduce((sum, l) => sum + count(/## Common mistakes\n([^#]*)/.exec(read(`lessons/${l}/README.md`))[1], /^\|/gm) - 2, 0),
  }).filter(([title, n]) => group(title).length !== n).map(([title, n]) => `${title}: ${group(title).length} of ${n}`),
  'no gpu': () => {
    const said = [...group('A GPU').map((i) => i.message), ...[...read('grader/lib/build.bash').matchAll(/MISSING\[cuda\]="\w+ (.*)"/g)].map((m) => m[1])].join('\n');
    const quoted = [...read('site/pages/no-gpu.md').matchAll(/^\| (`.*?) \| /gm)].flatMap(([, cell]) => [...cell.matchAll(/`([^`]+)`/g)].map((m) => m[1]));
    const parts = (text) => text.replace(/\d+\.\d+/g, '…').split(/…|;/).map((p) => p.replace(/ is $/, '').trim()).filter((p) => p && !p.startsWith('CUDA_VISIBLE'));
    return quoted.length < 7 ? ['the table is gone'] : quoted.filter((text) => missing(parts(text), said).length);
  },
  glossary: async () => {
    const used = (term, text) => term.forms.some((form) => new RegExp(`\\b${form}\\b`, 'i').test(text));
    const inLessons = lessons.map((l) => read(`lessons/${l}/README.md`)).join('\n'), onPages = pages.map((p) => p.text).join('\n');
    const terms = readTerms(), few = terms.filter((t) => used(t, inLessons)).length < 0.9 * terms.length;
    await glossary(); // an unknown [[term]] throws
    return [...terms.filter((t) => !used(t, inLessons) && !used(t, onPages)).map((t) => t.term), ...(few ? ['fewer than nine in ten are used in lessons'] : [])];
  },
  links: () => {
    class Token { constructor(type, tag, nesting) { Object.assign(this, { type, tag, nesting, content: '', attrs: null, level: 0, children: null }); } }
    const token = (type, nesting, content = '', children = null) => Object.assign(new Token(type, '', nesting), { content, children });
    const text = (content) => token('text', 0, content), inline = (...children) => token('inline', 0, '', children);
    const blocks = [
      token('heading_open', 1), inline(text('A kernel')), token('heading_close', -1),
      inline(token('code_inline', 0, 'kernel'), token('link_open', 1), text('kernel'), token('link_close', -1)),
      inline(text('Kernels of a subkernel: a kernel, STREAM, and a stream.')),
    ];
    linkTerms(blocks, { to: 'G' });
    const shown = blocks.filter((b) => b.children).map((b) => b.children.map((t) => (t.type === 'link_open' && t.attrs ? `<${t.attrs[0][1]}>` : t.content)).join('')).join('|');
    return shown === 'A kernel|kernelkernel|<G#kernel>Kernels of a subkernel: a kernel, STREAM, and a <G#stream>stream.' ? [] : [shown];
  },
  commands: () => {
    const help = read(process.argv[2]), options = read('common/harness/model/options.c');
    const found = (text, pattern, wrong) => [...text.matchAll(pattern)].map((m) => m[1]).filter(wrong);
    const wanting = pages.filter(({ name, text }) => /^setup/.test(name) && !text.includes('./bootstrap --selftest')).map(({ name }) => `${name}: no self-test`);
    return wanting.concat(pages.flatMap(({ name, text: all }) => {
      const text = all.replace(/^([^`#\n]*) #.*$/gm, '$1'); // without the comments after commands
      const after = (pattern) => [...text.matchAll(pattern)].flatMap((m) => m[1].match(/--[a-z]+/g) ?? []);
      return [
        ...found(text, /(?:^|[`&;] *)make ([a-z][a-z-]*(?:NN|\d\d)?)/gm, (t) => !new RegExp(`^  make ${t.replace(/\d\d$/, 'NN')}( |$)`, 'm').test(help)),
        ...found(text, /(?:^|[ `])((?:\.\/bootstrap|grader\/[a-z]+|jobs\/[a-z]+(?:\.sh)?))(?=[ `\n]|$)/gm, (file) => !fs.existsSync(file)),
        ...found(text, /(tail -[fF] \S*\*\S*)/g, () => true), // it would follow all logs
        ...(field({ text: all }, 'role') ? [] : found(text, /(grader\/check [^`\n]*--solution)/g, () => true)), // the learner's edition has none
        ...after(/grader\/check ([^`|\n]*)/g).filter((option) => !help.includes(option)),
        ...after(/build\/c\w+\/lesson\S* ([^`|\n]*)/g).filter((option) => !options.includes(`"${option}"`)),
      ].map((what) => `${name}: ${what}`);
    }));
  },
  heads: () => {
    const bad = pages.flatMap((p) => ['title', 'description', 'group', 'order'].filter((key) => !field(p, key)).map((key) => `${p.name}: no ${key}`));
    const strange = pages.filter((p) => !/^(learn|reference|cluster|instructor)$/.test(field(p, 'group'))).map((p) => `${p.name}: group`);
    const places = pages.map((p) => `${field(p, 'group')} ${field(p, 'order')}`);
    return [...bad, ...strange, ...places.filter((place, i) => places.indexOf(place) !== i).map((place) => `twice: ${place}`)];
  },
  clusters: async () => (await Promise.all(fs.readdirSync('jobs/clusters').filter((n) => !/^(generic|README\.md)$/.test(n)).map(async (name) => {
    const page = pages.find((p) => p.name === `cluster-${name}.md`), shown = await cluster({ root, words: [name] });
    const options = [...read(`jobs/clusters/${name}`).matchAll(/^# option \[?([A-Z_]+)/gm)].map((m) => `\`${m[1]}=\``);
    return [...(page?.text.includes(`<!-- site: content cluster ${name} -->`) ? [] : ['no page']), ...missing(options, shown), ...(shown.match(/undefined|null/) ?? [])].map((what) => `${name}: ${what}`);
  }))).flat(),
  minutes: () => lessons.filter((lesson) => {
    const cells = row(readFacts(root, [`lessons/${lesson}/lesson.yml`])[0], tasksOf(root, lesson)).split('|').map((cell) => cell.trim());
    const parts = [cells[3], cells[4], cells[6], ...cells[5].split(', ').map((cell) => cell.split(': ')[1])].map(Number);
    return parts.some((n) => !(n > 0)) || parts.reduce((a, b) => a + b, 0) !== Number(cells[2]);
  }),
  sources: async () => [
    ...missing(['The Loops to Warps authors', /^version: (.*)$/m.exec(read('CITATION.cff'))[1], 'creativecommons.org/licenses/by/4.0', 'WITHOUT WARRANTY'], await licence({ root })),
    ...missing(['bats', 'jq', 'libboost-context-dev'], await needs({ root })),
    ...missing(lessons.map((l) => `${l}: ${fs.readdirSync(`tests/lessons/bugs/${l}`).filter((n) => n.endsWith('.patch')).length} mistakes`), await mistakes({ root, workshop })),
  ],
};

for (const [name, check] of Object.entries(checks)) {
  console.log(name);
  for (const complaint of await check()) console.log(`${name}: ${complaint}`);
}
