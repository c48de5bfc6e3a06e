// Slides of a lesson, from its page: the first sentence of each paragraph, and all lists, tables, code and drawings. The whole
// text is below each slide, as notes.
import { sections } from './lesson.js';
import { prepare } from './markers.js';
import { blocks, newState, render, renderInline } from './markdown.js';
import { duration, escape, relative } from './text.js';

const room = 11; // lines that fit on a slide, about
const left = /^(Sources|Common mistakes|What a right run prints)/;

// Takes the site and a lesson. Adds the lesson's slides.
export async function addSlides(site, lesson) {
  const url = `slides/${lesson.id}/index.html`, state = newState(), slides = [];
  const { text, marker } = await prepare(site, lesson.body, lesson.file, state, lesson.bodyLine);
  const given = { site, file: lesson.file, url, state, marker };
  slides.push(`<h1><small>Lesson ${lesson.number}</small>${escape(lesson.title)}</h1><p>${escape(site.workshop.name)}</p>`);
  slides.push(`<h2>Questions</h2>${render(lesson.questions, given)}`);
  slides.push(`<h2>After this lesson you can</h2>${render(lesson.objectives, given)}<p class="muted">${duration(lesson.minutes)}</p>`);
  for (const part of sections(text, lesson.bodyLine))
    if (!left.test(part.text.slice(3))) slides.push(...cut(blocks(part.text, { ...given, line: part.line }), given));
  const i = site.lessons.indexOf(lesson), next = site.lessons[i + 1];
  const on = next ? `<p>Next: <a href="${relative(url, `slides/${next.id}/index.html`)}">lesson ${next.number}, ${escape(next.title)}</a></p>` : '';
  slides.push(`<h2>Your turn</h2><p>Edit <code>${escape(lesson.source)}</code>, then <code>grader/check ${lesson.id}</code>.</p><p><a href="${relative(url, `lessons/${lesson.id}/index.html`)}">The lesson's page</a></p>${on}`);
  site.pages.set(url, {
    url, kind: 'slides', frame: 'plain.11ty.js', lesson, state, title: `Slides of lesson ${lesson.number}: ${lesson.title}`, description: lesson.title, headings: [],
    html: frame(site, lesson, url, slides, state),
  });
}

// Takes the blocks of one section. Returns its slides: a new one at each heading, and when one is full.
function cut(found, given) {
  const slides = [];
  let heading = '', body = '', notes = '', used = 0;
  const close = () => {
    if (body) slides.push(`${heading}${body}${notes ? `<aside class="notes" aria-label="Notes">${notes}</aside>` : ''}`);
    body = notes = '', used = 0;
  };
  for (const [i, block] of found.entries()) {
    if (block.type === 'heading') {
      close();
      heading = block.html.replace(/<h[2-6][^>]*>/, '<h2>').replace(/<\/h[2-6]>/, '</h2>');
      continue;
    }
    if (block.type === 'details' && /hint/i.test(block.source)) continue;
    const lines = linesOf(block);
    // One more sentence on this slide is better than a slide with only one.
    const last = !found[i + 1] || found[i + 1].type === 'heading';
    if (used && used + lines > room + (last && lines <= 2 && used < room ? 2 : 0)) close();
    if (block.type === 'html_block' && /^<\/?details|^<summary/.test(block.html)) continue;
    body += block.type === 'paragraph' ? `<p>${renderInline(firstSentence(block.source), given)}</p>` : block.html;
    if (block.type === 'paragraph') notes += block.html;
    used += lines;
  }
  close();
  return slides;
}

function linesOf({ type, rows, html }) {
  if (/<svg/.test(html)) return room;
  return { paragraph: 2, fence: rows * 0.6, code_block: rows * 0.6, inclusion: room, details: 2, table: rows * 1.2 }[type] ?? rows * 1.3;
}

// The first sentence of a paragraph in Markdown. A full stop in code does not end it.
export function firstSentence(text) {
  const line = text.replace(/<!--[\s\S]*?-->/g, '').replace(/\s+/g, ' ').trim();
  const hidden = line.replace(/`[^`]*`|\]\([^)]*\)/g, (code) => '_'.repeat(code.length));
  const end = /[.?!](?:\*{1,2}|")?(?= +(?:\*{1,2}|"|_)?[A-Z0-9_"*])/.exec(hidden);
  const sentence = end ? line.slice(0, end.index + end[0].length) : line;
  return (sentence.match(/\*\*/g)?.length ?? 0) % 2 ? `${sentence}**` : sentence;
}

function frame(site, lesson, url, slides, state) {
  const to = (file) => relative(url, file);
  const styles = ['assets/style.css', 'assets/slides.css'], scripts = ['assets/slides.js', ...state.scripts];
  return `<!doctype html>
<html lang="${escape(site.workshop.language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Slides of lesson ${lesson.number}: ${escape(lesson.title)} · ${escape(site.workshop.name)}</title>
<meta name="description" content="Slides of lesson ${lesson.number}">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="${to('assets/icon.svg')}" type="image/svg+xml">
${styles.map((s) => `<link rel="stylesheet" href="${to(s)}">`).join('\n')}
</head>
<body class="kind-slides">
<a class="skip" href="#slide-1">Skip to the slides</a>
<header class="deck"><a href="${to(`lessons/${lesson.id}/index.html`)}">Lesson ${lesson.number}: ${escape(lesson.title)}</a>
<span class="keys"><kbd>→</kbd> <kbd>←</kbd> next, back · <kbd>n</kbd> notes · print for a PDF</span></header>
<main>
${slides.map((slide, i) => `<section class="slide" id="slide-${i + 1}" tabindex="-1" aria-label="Slide ${i + 1} of ${slides.length}">${slide}<p class="count" aria-hidden="true">${i + 1} / ${slides.length}</p></section>`).join('\n')}
</main>
${scripts.map((s) => `<script src="${to(s)}" defer></script>`).join('\n')}
</body>
</html>
`;
}
