// The landing page with the map of lessons, and the timetable.
import { newState } from './markdown.js';
import { renderInline } from './markdown.js';
import { lessonMap } from './map.js';
import { datesInWords, dayName } from './calendar.js';
import { schedule } from './schedule.js';
import { duration, escape, relative } from './text.js';

// Takes the site. Adds index.html.
export function addFront(site) {
  const url = 'index.html', state = newState(), { workshop } = site;
  const facts = [datesInWords(workshop.days, workshop.language), workshop.place].filter(Boolean).map(escape).join(' · ');
  const setup = ['setup', 'set-up'].map((n) => `pages/${n}/index.html`).find((u) => site.pages.has(u));
  const first = site.lessons[0];
  const html = `<section class="hero">
<p class="kicker">${about(site.lessons)}</p>
<h1>${escape(workshop.name)}</h1>
${facts ? `<p class="facts">${facts}</p>` : ''}
<p class="lead">Each lesson is one idea. You write the code, and a grader shows whether it is right, what is wrong and where, and how fast it is:
on a GPU, on a cluster, or on a laptop that has none.</p>
<p class="actions">${first ? `<a class="button" href="${relative(url, `lessons/${first.id}/index.html`)}">Begin with lesson ${first.number}</a>` : ''}
${setup ? `<a class="button quiet" href="${setup}">Set up your machine</a>` : ''}</p>
</section>
<section class="map"><h2 id="map">The way</h2>
<p>An arrow leads from a lesson to those that need it.</p>
${lessonMap(site, url)}</section>
<section><h2 id="lessons">The lessons</h2>
<ol class="cards">${site.lessons.map((lesson) => card(site, lesson, url)).join('\n')}</ol>
${planned(site)}</section>
${playList(site, url)}`;
  site.pages.set(url, {
    url, kind: 'front', title: workshop.name, description: about(site.lessons), html, headings: [], state,
  });
}

// Takes the lessons. Returns what the workshop is about, in a line.
function about(lessons) {
  const titles = lessons.map((l) => escape(l.title.toLowerCase())).join(', ').replace(/, ([^,]*)$/, ' and $1');
  return `${lessons.length === 1 ? 'One lesson' : `${lessons.length} lessons`} in C and CUDA: ${titles}`;
}

function card(site, lesson, url) {
  const words = (text) => renderInline(text, { site, file: 'README.md', url });
  return `<li><a href="${relative(url, `lessons/${lesson.id}/index.html`)}"><span class="card-number">${lesson.number}</span>
<span class="card-title">${escape(lesson.title)}</span></a>
<p>${words(lesson.shows)}</p>
<p class="muted">You write: ${words(lesson.writes)}</p>
<p class="muted small">${duration(lesson.minutes)}${after(lesson.needed)}</p></li>`;
}

// Takes the lessons that one needs. Returns " · after lessons 3 and 6", or nothing.
function after(needed) {
  const numbers = needed.map((id) => Number(id.slice(-2)));
  return numbers.length ? ` · after lesson${numbers.length > 1 ? 's' : ''} ${numbers.join(', ').replace(/, (\d+)$/, ' and $1')}` : '';
}

// Lessons that are still to come, where the workshop shows all there are.
function planned(site) {
  if (!site.planned.length || !site.instructor) return '';
  return `<p class="muted">Planned: ${site.planned.map((l) => `${l.number} ${escape(l.title)}`).join(', ')}.</p>`;
}

function playList(site, url) {
  const things = Object.entries(site.play);
  if (!things.length) return '';
  return `<section><h2 id="play">Interactive figures</h2><ul class="plain">${things.map(([name, thing]) =>
    `<li><a href="${relative(url, `play/${name}/index.html`)}">${escape(thing.title)}</a> <span class="muted">${escape(thing.description)}</span></li>`).join('\n')}</ul></section>`;
}

// Takes the site. Adds the timetable's page; gives what does not fit, in words, or ''.
export function addSchedule(site) {
  const url = 'schedule/index.html', { workshop } = site, table = schedule(workshop, site.lessons);
  const total = site.lessons.reduce((n, l) => n + l.minutes, 0);
  const days = table.days.map((day, i) => {
    const name = day.date ? dayName(day.date, workshop.language) : `Day ${i + 1}`;
    return `<h2 id="day-${i + 1}">${escape(name)}</h2>
<div class="table" tabindex="0" role="group" aria-label="${escape(name)}"><table class="schedule"><thead><tr><th scope="col">Time</th><th scope="col">What</th><th scope="col" class="number">Minutes</th></tr></thead><tbody>
${day.items.map((item) => row(item, url)).join('\n')}</tbody></table></div>`;
  });
  const warning = table.over && site.instructor ? `<p class="warning"><strong>It does not fit:</strong> ${escape(table.over)}</p>` : '';
  const ics = workshop.days.length ? `<p><a class="button quiet" href="../workshop.ics" download>Add to your calendar</a></p>` : '';
  const html = `${warning}<p class="lead">${site.lessons.length} ${site.lessons.length === 1 ? 'lesson' : 'lessons'}, ${duration(total)} of work${workshop.place ? ` · ${escape(workshop.place)}` : ''}.
Times are those that a newcomer takes; going further is not counted.</p>${ics}${days.join('\n')}`;
  site.pages.set(url, {
    url, kind: 'page', group: 'learn', order: 0, title: 'Schedule', description: 'When which lesson is', html, state: newState(),
    headings: table.days.map((day, i) => ({ id: `day-${i + 1}`, level: 2, text: day.date ? dayName(day.date, workshop.language) : `Day ${i + 1}` })),
  });
  site.table = table;
  return table.over;
}

// Takes the site. Returns 404.html, which many servers show for an address that is not there. They show it at any depth,
// so its links lead there only if the workshop's file says the site's address.
export function notFound({ workshop: { name, language, address } }) {
  const to = (file) => escape(`${address ? address.replace(/\/?$/, '/') : ''}${file}`);
  return `<!doctype html>
<html lang="${escape(language)}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Not found · ${escape(name)}</title>
<meta name="description" content="There is no such page"><meta name="color-scheme" content="light dark">
<link rel="icon" href="${to('assets/icon.svg')}" type="image/svg+xml"><link rel="stylesheet" href="${to('assets/style.css')}"></head>
<body class="kind-page"><a class="skip" href="#content">Skip to the text</a><div class="frame"><main id="content" tabindex="-1"><h1>There is no such page</h1>
<p>It may have moved, or the address is not complete. <a href="${to('index.html')}">To the first page of ${escape(name)}</a></p></main></div></body></html>
`;
}

function row(item, url) {
  const what = item.pause || item.title ? escape(item.pause ?? item.title)
    : `<a href="${relative(url, `lessons/${item.lesson.id}/index.html`)}">Lesson ${item.lesson.number}: ${escape(item.lesson.title)}</a>${item.part ? ', continued' : ''}`;
  return `<tr${item.pause || item.slack ? ' class="pause"' : ''}><td class="nowrap">${item.from}–${item.to}</td><td>${what}</td><td class="number">${item.minutes}</td></tr>`;
}
