import { expect } from 'chai';
import { dataOf, type PanelClient } from './panel-client.ts';
import type { FaultPanel } from './fault-panel.ts';

interface ExportData {
  readonly id: string;
  readonly status: string;
  readonly rows: number;
  readonly url?: string;
}

/** Starts an export in the background. Returns its id, or undefined on an error. */
export async function beginExport(
  client: PanelClient,
  panel: FaultPanel,
): Promise<string | undefined> {
  const outcome = await client.post('/test_data.csv', panel.testData, { prefer: 'respond-async' });
  return (dataOf(outcome) as ExportData | undefined)?.id;
}

/**
 * How the export ended; undefined while it runs or its status is unavailable. Fails if a finished export
 * lacks rows, or an unfinished one has a link.
 */
export async function exportOutcome(
  client: PanelClient,
  panel: FaultPanel,
  id: string,
): Promise<'ready' | 'failed' | undefined> {
  const data = dataOf(await client.get(`/exports/${id}`)) as ExportData | undefined;
  if (data === undefined || data.status === 'running') return undefined;
  if (data.status !== 'ready') {
    expect(data).not.to.have.property('url');
    return 'failed';
  }
  expect(data.rows).to.equal(panel.resultCount);
  const file = await fetch(data.url!).then(
    (reply) => (reply.ok ? reply.text() : undefined),
    () => undefined,
  );
  if (file === undefined) return undefined;
  expect(file.trimEnd().split('\n'), 'a finished file lacks rows').to.have.length(
    1 + panel.resultCount,
  );
  return 'ready';
}
