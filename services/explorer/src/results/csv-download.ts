import { ApiError } from '../api/api-error.ts';
import type { DataApi } from '../api/data-api.ts';
import type { Export } from '../../../../openapi/client/index.ts';
import { announce } from '../dom/announce.ts';
import { fill, h } from '../dom/h.ts';
import { byteText, count } from '../dom/number-text.ts';
import type { Query } from '../state/view-state.ts';

interface CsvDownloadParts {
  readonly api: DataApi;
  readonly query: Query;
}

/** Starts an export, shows its progress, and downloads the file when it is complete. */
export function csvDownload({ api, query }: CsvDownloadParts): HTMLElement {
  const start = h('button', { type: 'button', onclick: () => void download() }, 'Download CSV');
  const status = h('div', { class: 'download-status' });
  const element = h('div', { class: 'download' }, start, status);
  return element;

  async function download(): Promise<void> {
    start.disabled = true;
    fill(status, progressOf(undefined));
    try {
      await follow(await api.startExport(query));
    } catch (error) {
      const message = error instanceof ApiError ? error.message : 'The export failed.';
      fill(status, h('p', { class: 'field-error', role: 'alert' }, message));
    } finally {
      start.disabled = false;
    }
  }

  async function follow(state: Export): Promise<void> {
    let current = state;
    while (current.status === 'running' && element.isConnected) {
      fill(status, progressOf(current));
      await new Promise((resolve) => setTimeout(resolve, pollMs));
      current = await api.exportState(current.id);
    }
    if (current.status === 'ready' && current.url !== undefined) finish(current, current.url);
    else if (current.status === 'cancelled') fill(status, h('p', { class: 'hint' }, 'Cancelled'));
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
      state !== undefined &&
        h('button', { type: 'button', class: 'quiet', onclick: cancel }, 'Cancel export'),
    );
  }

  function finish(state: Export, url: string): void {
    const text = `${count(state.rows)} rows, ${byteText(state.bytes)}`;
    const link = h('a', { href: url, download: `${query.metric}.csv` }, `Download again (${text})`);
    fill(status, link);
    announce(`The CSV file is ready: ${text}`);
    link.click();
  }
}

const pollMs = 400;
