// The map of lessons: which needs which. A drawing for wide pages; the list of lessons below it says the same in words.
import { escape, relative } from './text.js';

const box = { width: 146, height: 50, across: 186, down: 82 };

// Takes the site and the address of the page that shows the map. Gives an SVG whose boxes are links.
export function lessonMap(site, url) {
  const { lessons } = site, places = place(lessons);
  const columns = 1 + Math.max(...Object.values(places).map((p) => p.column)), rows = 1 + Math.max(...Object.values(places).map((p) => p.row));
  const width = (columns - 1) * box.across + box.width + 4, height = (rows - 1) * box.down + box.height + 4;
  const at = (id) => ({ x: 2 + places[id].column * box.across, y: 2 + places[id].row * box.down });
  const arrows = lessons.flatMap((l) => needed(l, lessons).map((n) => arrow(at(n), at(l.id))));
  const boxes = lessons.map((l) => {
    const { x, y } = at(l.id);
    return `<a href="${relative(url, `lessons/${l.id}/index.html`)}"><rect x="${x}" y="${y}" width="${box.width}" height="${box.height}" rx="10"/>` +
      `<text x="${x + 14}" y="${y + 31}" class="n">${l.number}</text><text x="${x + 38}" y="${y + 31}">${escape(l.title)}</text></a>`;
  });
  const words = lessons.map((l) => `${l.number} ${l.title}${l.needed.length ? ` needs ${l.needed.map((n) => Number(n.slice(-2))).join(' and ')}` : ''}`).join('; ');
  return `<div class="drawing" tabindex="0" role="group" aria-label="Map of lessons"><svg class="lesson-map" viewBox="0 0 ${width} ${height}" style="max-width:${width}px;min-width:${Math.min(width, 560)}px" aria-labelledby="map-title map-desc">
<title id="map-title">Which lesson needs which</title><desc id="map-desc">${escape(words)}.</desc>
<defs><marker id="map-head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0 8 4 0 8z"/></marker></defs>
${arrows.join('\n')}\n${boxes.join('\n')}</svg></div>\n`;
}

// What a lesson needs among those that are there: the first it can, if what its page names is left out.
const needed = (lesson, lessons) => lesson.needed.filter((n) => lessons.some((l) => l.id === n));

// Gives {id: {column, row}}: a lesson stands one column behind the last it needs; what one lesson opens stands below each other.
function place(lessons) {
  const places = {}, taken = new Set();
  for (const lesson of lessons) {
    const before = needed(lesson, lessons).filter((n) => places[n]);
    const column = before.length ? 1 + Math.max(...before.map((n) => places[n].column)) : 0;
    let row = before.length ? Math.max(...before.filter((n) => places[n].column === column - 1).map((n) => places[n].row)) : 0;
    while (taken.has(`${column} ${row}`)) row++;
    taken.add(`${column} ${row}`);
    places[lesson.id] = { column, row };
  }
  return places;
}

function arrow(from, to) {
  const x1 = from.x + box.width, y1 = from.y + box.height / 2, x2 = to.x - 3, y2 = to.y + box.height / 2, bend = (box.across - box.width) * 0.6;
  return `<path class="arrow" marker-end="url(#map-head)" d="M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}"/>`;
}
