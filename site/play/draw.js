// The drawing functions of all interactive figures. index.js puts this file in front of each model, for node and for the page.
"use strict";

// Escapes text for HTML. Takes anything, returns a string.
const escaped = (text) => String(text).replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);

// A number for reading: 1234567.891 becomes 1,234,567.89.
const nice = (number) => number.toLocaleString("en-US", { maximumFractionDigits: 2 });

// "1 block", "2 blocks"; for words whose plural ends in s.
const count = (number, word) => `${nice(number)} ${word}${number === 1 ? "" : "s"}`;

// A coordinate rounded to one decimal, which is precise enough.
const at = (number) => Math.round(number * 10) / 10;

// Pieces of an SVG; kind is a class of play.css.
const rect = (x, y, width, height, kind) =>
  `<rect class="${kind}" x="${at(x)}" y="${at(y)}" width="${at(width)}" height="${at(height)}"/>`;
const path = (d, kind) => `<path class="${kind}" d="${d}"/>`;
const label = (x, y, words, kind = "") => `<text class="${kind}" x="${at(x)}" y="${at(y)}">${escaped(words)}</text>`;

// A whole SVG; `says` is its text alternative.
const picture = (width, height, says, body) =>
  `<svg viewBox="0 0 ${Math.max(640, at(width))} ${at(height)}" role="img" aria-label="${escaped(says)}">${body}</svg>`;

// Makes a table from rows of cells; the first row and the first cell of each row are heads.
const table = (rows) => {
  const cell = (text, r, c) =>
    r === 0 ? (text ? `<th scope="col">${escaped(text)}</th>` : "<td></td>")
    : c === 0 ? `<th scope="row">${escaped(text)}</th>` : `<td>${escaped(text)}</td>`;
  return `<table>${rows.map((row, r) => `<tr>${row.map((text, c) => cell(text, r, c)).join("")}</tr>`).join("")}</table>`;
};
