// Dashes (style.css) and these markers distinguish the lines of a chart without colour; and the legend.
import { symbol, symbolCircle, symbolCross, symbolDiamond, symbolSquare, symbolStar, symbolTriangle } from 'd3-shape';
import { at, line, path, text, widthOf } from './svg.js';

const SHAPES = [symbolCircle, symbolSquare, symbolTriangle, symbolDiamond, symbolCross, symbolStar];

/** The marker of line i, from 0, at (x, y). */
export const marker = (i, x, y, size = 48) => at(x, y, path(symbol(SHAPES[i % 6], size)().replace(/\d+\.\d+/g, (n) => String(+(+n).toFixed(1))), `f${(i % 6) + 1} marker`));

/** The classes of line i. */
export const stroke = (i) => `s${(i % 6) + 1} d${(i % 6) + 1} line`;

/** Names -> {height, body}: a legend with as many rows as it needs. dots: markers without a line. */
export function legend(names, width, dots = false) {
  let [x, y, body] = [0, 12, ''];
  const sample = dots ? 10 : 34;
  names.forEach((name, i) => {
    const needs = sample + 8 + widthOf(name) + 16;
    if (x && x + needs > width) [x, y] = [0, y + 20];
    body += (dots ? '' : line(x, y - 4, x + sample, y - 4, stroke(i))) + marker(i, x + sample / 2, y - 4) + text(x + sample + 6, y, name);
    x += needs;
  });
  return { height: y + 8, body };
}

/** The wanted places, in order -> places that are at least `apart` from each other, within [low, high]. */
export function spread(wanted, apart, low, high) {
  const order = wanted.map((y, i) => ({ y, i })).sort((a, b) => a.y - b.y);
  order.forEach((each, k) => { each.y = Math.max(each.y, k ? order[k - 1].y + apart : low); });
  let roof = high;
  for (const each of [...order].reverse()) { each.y = Math.min(each.y, roof); roof = each.y - apart; }
  return order.sort((a, b) => a.i - b.i).map(({ y }) => y);
}
