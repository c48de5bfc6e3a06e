// The index for search: the pages, divided at their headings. A classic script that assigns a global, so that it works from file://.
import { visible } from './text.js';

// Takes the site. Returns the text of search.js: [address, page's title, heading, text] for each part of each page.
export function searchScript(site) {
  const parts = [...site.pages.values()].filter((p) => p.kind !== 'all' && p.kind !== 'slides').flatMap(partsOf);
  return `window.siteParts = ${JSON.stringify(parts).replace(/<\//g, '<\\/')};\n`;
}

function partsOf(page) {
  const html = page.html.replace(/<svg[\s\S]*?<\/svg>/g, (svg) => ` ${/<title[^>]*>([\s\S]*?)<\/title>/.exec(svg)?.[1] ?? ''} `).replace(/<(select|option|button)\b[\s\S]*?<\/\1>/g, '');
  const parts = [];
  let last = { at: 0, id: '', heading: '' };
  const cut = (end) => {
    const text = visible(html.slice(last.at, end)).replace(/\s+/g, ' ').trim();
    if (text) parts.push([page.url + (last.id ? `#${last.id}` : ''), page.title, last.heading, text]);
  };
  for (const heading of html.matchAll(/<h[23][^>]*\bid="([^"]+)"[^>]*>([\s\S]*?)<\/h[23]>/g)) {
    cut(heading.index);
    last = { at: heading.index + heading[0].length, id: heading[1], heading: visible(heading[2]) };
  }
  cut(html.length);
  return parts;
}
