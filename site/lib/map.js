// The map of lessons: which lesson needs which. A drawing for wide pages, and one for phones; the list of lessons below it says the same in words.
import { escape, relative } from './text.js';

const box = { width: 146, height: 50, across: 186, down: 82 };
const list = { left: 64, width: 216, height: 44, down: 64 };

// Takes the site and the address of the page that shows the map. Returns its drawings, whose boxes are links.
export function lessonMap(site, url) {
  return `<div class="drawing" tabindex="0" role="group" aria-label="Map of lessons">${across(site, url)}${down(site, url)}</div>\n`;
}

// From left to right; lessons that need the same lesson are in one column.
function across(site, url) {
  const { lessons } = site, places = place(lessons);
  const columns = 1 + Math.max(...Object.values(places).map((p) => p.column)), rows = 1 + Math.max(...Object.values(places).map((p) => p.row));
  const at = (id) => ({ x: 2 + places[id].column * box.across, y: 2 + places[id].row * box.down });
  const arrows = lessons.flatMap((l) => needed(l, lessons).map((n) => {
    const from = at(n), to = at(l.id), x1 = from.x + box.width, x2 = to.x - 3, y1 = from.y + box.height / 2, y2 = to.y + box.height / 2, bend = (box.across - box.width) * 0.6;
    return `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`;
  }));
  return drawn('wide', (columns - 1) * box.across + box.width + 4, (rows - 1) * box.down + box.height + 4, site, url, arrows, (id) => ({ ...at(id), ...box }));
}

// Lessons one below the other in their order, with the arrows on the left.
function down(site, url) {
  const { lessons } = site, row = (id) => lessons.findIndex((l) => l.id === id);
  const arrows = lessons.flatMap((l) => needed(l, lessons).map((n) => {
    const y1 = row(n) * list.down + 2 + list.height * 0.7, y2 = row(l.id) * list.down + 2 + list.height * 0.3;
    const bend = Math.max(4, list.left - 14 - (row(l.id) - row(n)) * 11);
    return `M${list.left} ${y1}C${bend} ${y1} ${bend} ${y2} ${list.left - 3} ${y2}`;
  }));
  return drawn('narrow', list.left + list.width + 2, (lessons.length - 1) * list.down + list.height + 4, site, url, arrows, (id) => ({ x: list.left, y: 2 + row(id) * list.down, ...list }));
}

// Takes the kind of drawing, its size, its arrows as paths, and the function that draws a lesson's box. Returns the SVG.
function drawn(kind, width, height, { lessons }, url, arrows, boxOf) {
  const boxes = lessons.map((l) => {
    const b = boxOf(l.id), y = b.y + b.height / 2 + 6;
    return `<a href="${relative(url, `lessons/${l.id}/index.html`)}"><rect x="${b.x}" y="${b.y}" width="${b.width}" height="${b.height}" rx="10"/>` +
      `<text x="${b.x + 14}" y="${y}" class="n">${l.number}</text><text x="${b.x + 38}" y="${y}">${escape(l.title)}</text></a>`;
  });
  const words = lessons.map((l) => `${l.number} ${l.title}${l.needed.length ? ` needs ${l.needed.map((n) => Number(n.slice(-2))).join(' and ')}` : ''}`).join('; ');
  const id = `map-${kind}`;
  return `<svg class="lesson-map ${kind}" viewBox="0 0 ${width} ${height}" style="max-width:${width}px" aria-labelledby="${id}-title ${id}-desc">
<title id="${id}-title">Which lesson needs which</title><desc id="${id}-desc">${escape(words)}.</desc>
<defs><marker id="${id}-head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0 8 4 0 8z"/></marker></defs>
${arrows.map((d) => `<path class="arrow" marker-end="url(#${id}-head)" d="${d}"/>`).join('\n')}\n${boxes.join('\n')}</svg>`;
}

// The lessons that a lesson needs, among the lessons of the workshop. If a lesson that its page names is left out, the nearest one before it counts.
const needed = (lesson, lessons) => lesson.needed.filter((n) => lessons.some((l) => l.id === n));

// Returns {id: {column, row}}: a lesson is one column after the last lesson that it needs; lessons that need the same one are in one column.
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
