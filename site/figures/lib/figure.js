// The frame that all figures share: one picture for wide columns and one for narrow ones, caption, text alternative.
import { escape } from './svg.js';

const WIDTHS = { wide: 720, narrow: 320 };

/**
 * {kind: 'chart' | 'diagram', title, desc, draw, caption, numbers?, words?} -> HTML of a figure.
 * draw(width) returns {height, body} of the picture at that width; caption is HTML; numbers = {head, rows} is the table of a
 * chart; words is the list of sentences that say what a diagram shows.
 */
export function figure({ kind, title, desc, draw, caption, numbers, words }) {
  const picture = (style) => {
    const width = WIDTHS[style];
    const { height, body } = draw(width);
    return (
      `<svg class="drawn ${style}" viewBox="0 0 ${width} ${Math.ceil(height)}" role="img" aria-label="${escape(title)}">` +
      `<title>${escape(title)}</title><desc>${escape(desc)}</desc>${body}</svg>`
    );
  };
  return (
    `<figure class="figure ${kind}">${picture('wide')}${picture('narrow')}` +
    `<figcaption>${caption}</figcaption>${numbers ? tableOf(numbers) : ''}${words ? sentencesOf(words) : ''}</figure>`
  );
}

/** {head, rows} of texts -> a table that opens. Numbers are aligned right; the first cell of a row is its name. */
function tableOf({ head, rows }) {
  const aligned = (words) => (/^[-\d]/.test(words) ? ' class="number"' : '');
  const columns = head.map((_, i) => (i ? aligned(String(rows[0]?.[i])) : ''));
  const cells = (row) =>
    row.map((words, i) => (i ? `<td${columns[i]}>${escape(words)}</td>` : `<th scope="row">${escape(words)}</th>`)).join('');
  return (
    `<details class="numbers"><summary>The numbers</summary><div class="table" role="group" tabindex="0" aria-label="The numbers of this chart">` +
    `<table><thead><tr>${head.map((words, i) => `<th scope="col"${columns[i]}>${escape(words)}</th>`).join('')}</tr></thead>` +
    `<tbody>${rows.map((row) => `<tr>${cells(row)}</tr>`).join('')}</tbody></table></div></details>`
  );
}

const sentencesOf = (words) =>
  `<details class="words"><summary>In words</summary><ol>${words.map((each) => `<li>${escape(each)}</li>`).join('')}</ol></details>`;

/** The device of a measurement -> the sentence of its caption. */
export function measuredOn({ device, driver, cuda, date, file }) {
  const parts = [device, driver && `driver ${driver}`, cuda && `CUDA ${cuda}`, date.slice(0, 10)].filter(Boolean);
  return `Measured on ${escape(parts.join(', '))}: <code>${escape(file)}</code>.`;
}
