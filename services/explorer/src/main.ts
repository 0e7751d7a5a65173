import { fill, h, notice } from './dom/h.ts';
import { page, type PageSettings } from './page/page.ts';

const app = document.querySelector('#app') ?? document.body;
try {
  const response = await fetch('/explorer/config.json');
  fill(app, ...page((await response.json()) as PageSettings));
} catch {
  fill(app, notice('error', 'The explorer could not start', h('p', {}, 'Reload the page.')));
}
