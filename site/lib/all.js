// All lessons and pages on one page, for printing and for the browser's own search. It contains nothing that needs scripts: interactive figures are pictures.
import path from 'node:path';
import { newState } from './markdown.js';
import { escape, relative } from './text.js';

// Takes the site. Adds all/index.html. Call it after all other pages are made.
export function addAll(site) {
  const url = 'all/index.html', state = newState();
  const kinds = ['lesson', 'page'];
  const pages = [...site.pages.values()].filter((p) => kinds.includes(p.kind)).sort((a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind));
  const within = new Map(pages.map((p) => [p.url, nameOf(p)]));
  const parts = pages.map((page) => {
    const name = nameOf(page);
    return `<section class="whole-page" id="${name}"><h1>${escape(page.title)}</h1>\n${moved(page, url, name, within)}</section>`;
  });
  const list = pages.map((p) => `<li><a href="#${nameOf(p)}">${escape(p.title)}</a></li>`).join('\n');
  site.pages.set(url, {
    url, kind: 'all', title: 'All on one page', description: 'All lessons and pages as one, to print', headings: [], state,
    html: `<p>For printing, and for the browser's own search. What is closed here is open on paper.</p><ul>${list}</ul>\n${parts.join('\n')}`,
  });
}

const nameOf = (page) => page.url.replace(/\/index\.html$/, '').replace(/\W+/g, '-');

// A page's HTML for another place: its anchors get its name as a prefix, and its links are changed to match.
function moved(page, url, name, within) {
  return page.html
    .replace(/<script>[\s\S]*?<\/script>|<form class="play-form"[\s\S]*?<\/form>\n?/g, '')
    .replace(/(data-play="(\w+)"[\s\S]*?<p class="play-off">)[\s\S]*?<\/p>/g, (all, before, thing) =>
      `${before}<a href="${relative(page.url, `play/${thing}/index.html`)}">On a page of its own</a> you can change its values.</p>`)
    .replace(/(\s(?:id|for|name|aria-labelledby|aria-describedby|aria-controls)=")([^"]+)"/g, (all, key, ids) =>
      (/\sname=/.test(key) ? all : `${key}${ids.split(' ').map((id) => `${name}-${id}`).join(' ')}"`))
    .replace(/<style>#/g, `<style>#${name}-`).replace(/url\(#/g, `url(#${name}-`)
    .replace(/(\shref=")([^"]*)"/g, (all, key, href) => {
      if (/^(https?:|mailto:)/.test(href)) return all;
      const [to, anchor] = href.split('#');
      const target = to ? path.posix.join(path.posix.dirname(page.url), to) : page.url;
      if (within.has(target)) return `${key}#${within.get(target)}${anchor ? `-${anchor}` : ''}"`;
      return `${key}${relative(url, target)}${anchor ? `#${anchor}` : ''}"`;
    });
}
