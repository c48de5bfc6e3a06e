// The frame of every page: head, site header with search, contents, the page itself, the link to the next page, footer.
import { pageAt, theSite } from '../lib/current.js';
import { groups } from '../lib/pages.js';
import { escape, relative } from '../lib/text.js';

// Eleventy calls this for each page. Returns the whole document.
export default function ({ address }) {
  const site = theSite(), page = pageAt(address), to = (url) => relative(page.url, url);
  const scripts = ['assets/page.js', ...page.state.scripts];
  return `<!doctype html>
<html lang="${escape(site.workshop.language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(page.kind === 'front' ? page.title : `${page.title} · ${site.workshop.name}`)}</title>
<meta name="description" content="${escape(page.description)}">
<meta name="color-scheme" content="light dark">
${site.instructor ? '<meta name="robots" content="noindex">\n' : ''}<link rel="icon" href="${to('assets/icon.svg')}" type="image/svg+xml">
<link rel="stylesheet" href="${to('assets/style.css')}">
</head>
<body class="kind-${page.kind}">
<a class="skip" href="#content">Skip to the text</a>
${header(site, page, to)}
<div class="frame">
<main id="content" tabindex="-1">
${title(site, page, to)}${page.html}
${page.kind === 'lesson' ? around(site, page.lesson, to) : ''}
</main>
${onThisPage(page)}
${contents(site, page, to)}
</div>
${footer(site, to)}
${scripts.map((s) => `<script src="${to(s)}" defer></script>`).join('\n')}
</body>
</html>
`;
}

function header(site, page, to) {
  return `<header class="top"><div>
<a class="brand" href="${to('index.html')}"${page.kind === 'front' ? ' aria-current="page"' : ''}>${icon}<span>${escape(site.workshop.name)}</span></a>
${site.instructor ? '<span class="role">Instructor</span>' : ''}
<form class="search" role="search" data-index="${to('search.js')}" data-engine="${to('assets/minisearch.js')}" data-root="${to('index.html').replace(/index\.html$/, '')}">
<label class="hidden" for="search">Search</label><input id="search" type="search" placeholder="Search" autocomplete="off" spellcheck="false" aria-controls="found" aria-keyshortcuts="/">
<div id="found" class="found" hidden></div></form>
<a class="to-contents" href="#contents">Contents</a>
</div></header>`;
}

const icon = '<svg viewBox="0 0 32 32" width="26" height="26" aria-hidden="true"><path d="M4 26c0-9 4-9 4-16m5 16c0-9 4-9 4-16m5 16c0-9 4-9 4-16" fill="none" stroke="currentColor" stroke-width="3.4" stroke-linecap="round"/></svg>';

function title(site, page, to) {
  if (page.kind === 'front') return '';
  const kicker = page.kind === 'lesson' ? `<p class="kicker">Lesson ${page.lesson.number}</p>` : page.kind === 'page' ? `<p class="kicker">${groups[page.group]}</p>`
    : page.lesson ? `<p class="kicker"><a href="${to(`lessons/${page.lesson.id}/index.html`)}">Lesson ${page.lesson.number}: ${escape(page.lesson.title)}</a></p>` : '';
  const name = page.kind === 'lesson' ? page.lesson.title : page.title;
  const slides = page.kind === 'lesson' && site.pages.has(`slides/${page.lesson.id}/index.html`)
    ? `<p class="also"><a href="${to(`slides/${page.lesson.id}/index.html`)}">Slides</a></p>` : '';
  return `<header class="title">${kicker}<h1>${escape(name)}</h1>${slides}</header>\n`;
}

function onThisPage(page) {
  const headings = page.headings.filter((h) => h.level === 2 || h.level === 3);
  if (headings.length < 3) return '';
  return `<nav class="here" aria-labelledby="here-title"><h2 id="here-title">On this page</h2><ul>
${headings.map((h) => `<li class="level-${h.level}"><a href="#${h.id}">${escape(h.text)}</a></li>`).join('\n')}</ul></nav>`;
}

function contents(site, page, to) {
  const link = (url, text) => `<li><a href="${to(url)}"${url === page.url ? ' aria-current="page"' : ''}>${text}</a></li>`;
  const lessons = site.lessons.map((l) => link(`lessons/${l.id}/index.html`, `<span class="n">${l.number}</span> ${escape(l.title)}`));
  const others = Object.entries(groups).map(([group, name]) => {
    const pages = [...site.pages.values()].filter((p) => p.kind === 'page' && p.group === group).sort((a, b) => a.order - b.order);
    return pages.length ? `<h3>${name}</h3><ul>${pages.map((p) => link(p.url, escape(p.title))).join('\n')}</ul>` : '';
  });
  const play = Object.entries(site.play).map(([name, thing]) => link(`play/${name}/index.html`, escape(thing.title)));
  return `<nav class="contents" id="contents" aria-labelledby="contents-title"><h2 class="hidden" id="contents-title">Contents</h2>
<h3>Lessons</h3><ul class="lessons">${lessons.join('\n')}</ul>
${others.join('\n')}${play.length ? `<h3>Play</h3><ul>${play.join('\n')}</ul>` : ''}</nav>`;
}

function around(site, lesson, to) {
  const i = site.lessons.indexOf(lesson), before = site.lessons[i - 1], after = site.lessons[i + 1];
  const link = (l, way, rel) => (l ? `<a class="${rel}" rel="${rel}" href="${to(`lessons/${l.id}/index.html`)}"><span>${way}</span> Lesson ${l.number}: ${escape(l.title)}</a>` : '<span></span>');
  return `<nav class="around" aria-label="Lessons before and after">${link(before, 'Previous', 'prev')}${link(after, 'Next', 'next')}</nav>`;
}

function footer(site, to) {
  const page = (name, text) => (site.pages.has(`pages/${name}/index.html`) ? `<a href="${to(`pages/${name}/index.html`)}">${text}</a>` : '');
  const { repository, contact } = site.workshop;
  const links = [
    site.pages.has('all/index.html') ? `<a href="${to('all/index.html')}">All on one page</a>` : '',
    page('accessibility', 'Accessibility'), page('licence', 'Licence and citation'),
    repository ? `<a href="${escape(repository)}">The workbook</a>` : '',
    contact ? `<a href="${escape(contact.includes('@') && !contact.startsWith('https:') ? `mailto:${contact}` : contact)}">Contact</a>` : '',
  ].filter(Boolean);
  return `<footer class="bottom"><p>Code under the MIT licence, texts and figures under CC BY 4.0.</p><p>${links.join(' · ')}</p></footer>`;
}
