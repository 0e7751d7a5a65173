import { ApiError } from '../api/api-error.ts';
import type { DataApi } from '../api/data-api.ts';
import type { Export, MetricQuery } from '../../../../openapi/client/index.ts';
import { announce } from '../dom/announce.ts';
import { button, fill, h, quietButton } from '../dom/h.ts';
import { byteText, count } from '../dom/number-text.ts';
import { escapeFormulas } from './escape-formulas.ts';

/**
 * Starts an export, shows its progress, and downloads the complete file: unchanged, or with escaped formulas for
 * spreadsheets.
 */
export function csvDownload(api: DataApi, request: MetricQuery, name: string): HTMLElement {
  const exact = downloadButton('Download CSV', 'For programs: the exact values', linkTo);
  const escaped = downloadButton(
    'CSV for spreadsheets',
    "For Excel and other spreadsheets: an apostrophe (') before text that they would run as a formula. Numbers do not change.",
    escapedLink,
  );
  const status = h('div', { class: 'download-status' });
  const buttons = h('div', { class: 'download-buttons' }, exact, escaped);
  const element = h('div', { class: 'download' }, buttons, status);
  return element;

  function downloadButton(label: string, title: string, link: MakeLink): HTMLButtonElement {
    return button(label, () => void download(link), { title });
  }

  async function download(link: MakeLink): Promise<void> {
    exact.disabled = escaped.disabled = true;
    fill(status, progressOf(undefined));
    try {
      await follow(await api.startExport(request), link);
    } catch (error) {
      const message = error instanceof ApiError ? error.message : 'The export failed.';
      fill(status, h('p', { class: 'field-error', role: 'alert' }, message));
    } finally {
      exact.disabled = escaped.disabled = false;
    }
  }

  async function follow(state: Export, link: MakeLink): Promise<void> {
    let current = state;
    while (current.status === 'running' && element.isConnected) {
      fill(status, progressOf(current));
      await new Promise((resolve) => setTimeout(resolve, pollMs));
      current = await api.exportState(current.id);
    }
    if (current.status === 'ready' && current.url !== undefined) {
      finish(current, await link(current.url));
    } else if (current.status === 'cancelled') fill(status, h('p', { class: 'hint' }, 'Cancelled'));
    else if (current.status !== 'running') {
      const message = current.failure?.message ?? `The export is ${current.status}.`;
      fill(status, h('p', { class: 'field-error', role: 'alert' }, message));
    }
  }

  function progressOf(state: Export | undefined): HTMLElement {
    const known = state?.percent ?? undefined;
    const bar = h('progress', { max: 100, value: known, 'aria-label': 'Progress of the export' });
    const rows =
      state === undefined ? 'Starting' : `${count(state.rows)} rows, ${byteText(state.bytes)}`;
    const percent = known === undefined ? '' : `${known}% · `;
    const cancel = () => {
      if (state !== undefined) void api.cancelExport(state.id).catch(() => undefined);
    };
    return h(
      'div',
      { class: 'download-progress' },
      bar,
      h('span', {}, `${percent}${rows}`),
      state !== undefined && quietButton('Cancel export', cancel),
    );
  }

  function linkTo(url: string): Promise<Link> {
    return Promise.resolve({ href: url, download: `${name}.csv` });
  }

  async function escapedLink(url: string): Promise<Link> {
    const { body, ok } = await fetch(url);
    if (!ok || body === null) throw new Error('The file could not be read');
    const file = await new Response(body.pipeThrough(escapeFormulas())).blob();
    return { href: URL.createObjectURL(file), download: `${name}-spreadsheet.csv` };
  }

  function finish(state: Export, { href, download }: Link): void {
    const text = `${count(state.rows)} rows, ${byteText(state.bytes)}`;
    const link = h('a', { href, download }, `Download again (${text})`);
    fill(status, link);
    announce(`The CSV file is ready: ${text}`);
    link.click();
  }
}

interface Link {
  readonly href: string;
  readonly download: string;
}

/** From the address of the export. */
type MakeLink = (url: string) => Promise<Link>;

const pollMs = 400;
