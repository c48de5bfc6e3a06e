// Eleventy: gets every page of the model as a template, puts the frame around it, writes it, copies assets, serves with live reload.
// site/build calls it with SITE_ROLE, SITE_WORKSHOP and SITE_OUT.
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { setSite } from './lib/current.js';
import { makeSite, assetsOf } from './lib/make.js';
import { explain } from './lib/workshop.js';

const here = path.dirname(fileURLToPath(import.meta.url)), root = path.dirname(here);

export default async function (config) {
  const given = {
    root, draft: process.env.DRAFT === '1', role: process.env.SITE_ROLE || 'learner', workshopFile: path.resolve(root, process.env.SITE_WORKSHOP || 'site/workshop.yml'),
  };
  const site = await makeSite(given);
  setSite(site);
  for (const page of site.pages.values()) {
    const name = page.url.replace(/\/?index\.html$/, '').replace(/[^\w-]/g, '-') || 'front';
    config.addTemplate(`${name}.html`, '', { layout: page.frame ?? 'page.11ty.js', permalink: page.url, address: page.url });
  }
  for (const [from, to] of assetsOf(site)) config.addPassthroughCopy({ [path.relative(here, from)]: to });
  for (const name of site.texts.keys()) config.addTemplate(`text-${name.replace(/[^\w-]/g, '-')}.html`, '', { layout: 'plain.11ty.js', permalink: name, address: name });

  config.setTemplateFormats(['html']);
  config.setUseGitIgnore(false);
  config.setQuietMode(true);
  for (const watched of ['lessons', 'grader/checks', 'results', 'README.md', 'site/pages', 'site/assets', 'site/layouts', 'site/workshop.yml', 'site/figures', 'site/play'])
    config.addWatchTarget(path.relative(here, path.join(root, watched)));
  // When a file has changed, the model is made again. New pages appear only after the next start.
  let first = true;
  config.on('eleventy.before', async () => {
    if (!first) await makeSite(given).then(setSite, (error) => console.error(`site: ${explain(error)}`));
    first = false;
  });

  return {
    // There are no templates in lib: makeSite makes all of them.
    dir: { input: 'lib', includes: '../layouts', output: process.env.SITE_OUT || '../build/site-serve' },
    htmlTemplateEngine: false, markdownTemplateEngine: false,
  };
}
