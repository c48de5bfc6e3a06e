// Pieces of SVG as strings. Colours and fonts come from classes (../style.css), never from here.

/** Text -> the same, safe in HTML and SVG. */
export const escape = (words) =>
  String(words).replace(/[&<>"]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign]);

/** A coordinate -> its short form, in tenths of a pixel. */
export const short = (value) => String(Math.round(value * 10) / 10);

const attribute = (name, value) => (value ? ` ${name}="${value}"` : '');

/** A box. */
export const rect = (x, y, width, height, style = '', round = 3) =>
  `<rect${attribute('class', style)} x="${short(x)}" y="${short(y)}" width="${short(width)}" height="${short(height)}"` +
  `${attribute('rx', round)}/>`;

/** A disc. */
export const circle = (x, y, radius, style = '') =>
  `<circle${attribute('class', style)} cx="${short(x)}" cy="${short(y)}" r="${short(radius)}"/>`;

/** One line of text; its baseline is at y. */
export const text = (x, y, words, style = '') =>
  `<text${attribute('class', style)} x="${short(x)}" y="${short(y)}">${escape(words)}</text>`;

/** Lines of text below each other. */
export const lines = (x, y, all, style = '', leading = 17) =>
  all.map((words, i) => text(x, y + i * leading, words, style)).join('');

/** A path; d as SVG has it. */
export const path = (d, style = '') => `<path${attribute('class', style)} d="${d}"/>`;

/** A straight line. */
export const line = (x1, y1, x2, y2, style = 'axis') =>
  path(`M${short(x1)} ${short(y1)}L${short(x2)} ${short(y2)}`, style);

/** A line with a head at its end, through as many points [x, y] as are given. */
export function arrow(points, style = 'flow') {
  const [x, y] = points[points.length - 1];
  const [px, py] = points[points.length - 2];
  const far = Math.hypot(x - px, y - py);
  const [dx, dy] = [(x - px) / far, (y - py) / far];
  const corner = (back, aside) => `${short(x - back * dx - aside * dy)} ${short(y - back * dy + aside * dx)}`;
  const shaft = [...points.slice(0, -1).map(([a, b]) => `${short(a)} ${short(b)}`), corner(6, 0)];
  return path(`M${shaft.join('L')}`, style) + path(`M${short(x)} ${short(y)}L${corner(8, 4)}L${corner(8, -4)}z`, `tip ${style}-tip`);
}

/** Parts, moved. */
export const at = (x, y, ...parts) => `<g transform="translate(${short(x)} ${short(y)})">${parts.flat().join('')}</g>`;

/** How wide words are, about, in pixels. */
export const widthOf = (words, size = 13) => [...String(words)].length * size * 0.53;

/** Words -> lines that are not wider than `width` pixels. */
export function wrap(words, width, size = 13) {
  const all = [];
  for (const word of String(words).split(' ')) {
    const last = all[all.length - 1];
    if (last !== undefined && widthOf(`${last} ${word}`, size) <= width) all[all.length - 1] = `${last} ${word}`;
    else all.push(word);
  }
  return all;
}
