import { expect } from 'chai';
import { dataOf, type PanelCaller } from './panel-caller.ts';
import type { FaultPanel } from './fault-panel.ts';

interface ExportData {
  readonly id: string;
  readonly status: string;
  readonly rows: number;
  readonly url?: string;
}

/** Starts an export in the background; undefined when that was refused or broke. */
export async function beginExport(
  caller: PanelCaller,
  panel: FaultPanel,
): Promise<string | undefined> {
  const outcome = await caller.post('/test_data.csv', panel.testData, { prefer: 'respond-async' });
  return (dataOf(outcome) as ExportData | undefined)?.id;
}

/**
 * How it ended; undefined while it runs or cannot be asked about. One that is done has every row, one
 * that is not cannot be had.
 */
export async function exportOutcome(
  caller: PanelCaller,
  panel: FaultPanel,
  id: string,
): Promise<'done' | 'failed' | undefined> {
  const data = dataOf(await caller.get(`/exports/${id}`)) as ExportData | undefined;
  if (data === undefined || data.status === 'running') return undefined;
  if (data.status !== 'done') {
    expect(data).not.to.have.property('url');
    return 'failed';
  }
  expect(data.rows).to.equal(panel.resultCount);
  const file = await fetch(data.url!).then(
    (reply) => (reply.ok ? reply.text() : undefined),
    () => undefined,
  );
  if (file === undefined) return undefined;
  expect(file.trimEnd().split('\n'), 'a finished file is short').to.have.length(
    1 + panel.resultCount,
  );
  return 'done';
}
