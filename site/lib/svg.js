// Drawings: put into the page itself, so that they follow its light and dark and their words can be found and read aloud.
import { fail } from './fail.js';
import { escape } from './text.js';

// Takes an SVG file's text, a name that no other drawing of the page has, the text alternative, and the place that shows it (file, line).
// Returns a <figure>: with ids and styles that are unique to the drawing, and with its dark and its light colours.
export function inlineSvg(svg, name, alt, file, line) {
  if (!/^\s*(<\?xml[^>]*>\s*)?<svg\b[\s\S]*<\/svg>\s*$/.test(svg)) fail(file, line, 'the drawing is not an SVG', 'It must be one <svg> … </svg>.');
  if (/<script|<foreignObject|\bon\w+=|href="(?!#)/i.test(svg)) fail(file, line, 'the drawing has a script or a link in it', 'Drawings are shapes and texts only.');
  let out = svg.replace(/<\?xml[^>]*>\s*/, '').trim()
    .replace(/\bid="([^"]+)"/g, `id="${name}-$1"`)
    .replace(/(aria-labelledby|aria-describedby)="([^"]+)"/g, (all, key, ids) => `${key}="${ids.split(' ').map((id) => `${name}-${id}`).join(' ')}"`)
    .replace(/url\(#([^)]+)\)/g, `url(#${name}-$1)`).replace(/href="#/g, `href="#${name}-`)
    .replace(/<style>([\s\S]*?)<\/style>/, (all, css) => `<style>#${name}{${bothSchemes(css)}}</style>`);
  if (!/<svg[^>]*aria-label/.test(out)) out = out.replace('<svg', `<svg aria-label="${escape(alt)}"`);
  const width = Number(/viewBox="\S+ \S+ (\S+)/.exec(out)?.[1] ?? 760);
  out = out.replace(/(<svg[^>]*?) width="[^"]*"/, '$1').replace(/(<svg[^>]*?) height="[^"]*"/, '$1').replace('<svg', `<svg style="max-width:${width}px"`);
  return `<figure class="figure" id="${name}"><div class="drawing" tabindex="0" role="group" aria-label="${escape(alt)}">${out}</div><figcaption>${escape(alt)}</figcaption></figure>\n`;
}

// Takes a drawing's CSS. Returns it with each colour as light-dark(light, dark), where the drawing had a rule for dark, so that the page's
// scheme is used and not the system's.
function bothSchemes(css) {
  const dark = {};
  const light = css.replace(/@media \(prefers-color-scheme: dark\)\s*\{((?:[^{}]*\{[^{}]*\})*)\s*\}/g, (all, rules) => {
    for (const [selector, key, value] of declarations(rules)) dark[`${selector} ${key}`] = value;
    return '';
  });
  const used = new Set();
  let out = light.replace(/([^{}]+)\{([^{}]*)\}/g, (all, selectors, body) => selectors.split(',').map((s) => s.trim()).map((selector) =>
    `${selector === 'svg' ? 'svg' : selector}{${[...declarations(`${selector}{${body}}`)].map(([, key, value]) => {
      const other = dark[`${selector} ${key}`];
      if (selector === 'svg' && key === 'background') return '';
      if (other) used.add(`${selector} ${key}`);
      return `${key}:${other ? `light-dark(${value},${other})` : value}`;
    }).filter(Boolean).join(';')}}`).join(''));
  for (const [rule, value] of Object.entries(dark)) {
    const at = rule.lastIndexOf(' '), selector = rule.slice(0, at), key = rule.slice(at + 1);
    if (!used.has(rule) && !(selector === 'svg' && key === 'background')) out += `${selector}{${key}:light-dark(currentColor,${value})}`;
  }
  return out.replace(/\s+/g, ' ').trim();
}

function* declarations(rules) {
  for (const [, selectors, body] of rules.matchAll(/([^{}]+)\{([^{}]*)\}/g))
    for (const selector of selectors.split(','))
      for (const one of body.split(';').filter((d) => d.includes(':'))) {
        const [key, ...value] = one.split(':');
        yield [selector.trim(), key.trim(), value.join(':').trim()];
      }
}
