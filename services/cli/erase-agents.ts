import { defaultSettleMs, type Erasure, erasureResponse } from '../metadata/erasure/erasure.ts';
import { requireErasure } from '../metadata/erasure/erasure-ledger.ts';
import {
  identifierFields,
  previewErasure,
  requestErasure,
} from '../metadata/erasure/request-erasure.ts';
import { endErasure } from '../metadata/erasure/run-erasure.ts';
import { UsageError } from '../shared/errors/usage-error.ts';
import { ProgressLine } from '../shared/progress-line.ts';
import type { Stores } from '../shared/stores.ts';
import { jsonOption, oneOf, orgOption } from './arguments.ts';
import { printLine } from './print.ts';
import { subcommand } from './subcommands.ts';
import { withOrganisation } from './with-stores.ts';

const options = {
  ...orgOption,
  ...jsonOption,
  by: { type: 'string', default: 'agent' },
  yes: { type: 'boolean', default: false },
  'dry-run': { type: 'boolean', default: false },
  'no-wait': { type: 'boolean', default: false },
} as const;

/** `netpanel agents erase` */
export const eraseAgents = subcommand(options, 'ID…', async (values, _first, ids) => {
  const field = oneOf(values.by, identifierFields, '--by');
  return withOrganisation(values.org, async (stores) => {
    const { database, organisationId } = stores;
    const request = { organisationId, tokenId: null, field, values: ids };
    if (values['dry-run'] || !values.yes) {
      const { unknown, ...preview } = await previewErasure(stores, request);
      rejectUnknown(unknown);
      print([preview], values.json);
      if (values['dry-run']) return 0;
      throw new UsageError('Nothing was removed: an erasure cannot be undone and needs --yes');
    }
    const { ids: erasureIds, unknown } = await requestErasure(database, request);
    rejectUnknown(unknown);
    const erasures: Erasure[] = [];
    for (const id of erasureIds) {
      erasures.push(
        await (values['no-wait'] ? requireErasure(database, id) : untilEnded(stores, id)),
      );
    }
    print(erasures.map(erasureResponse), values.json);
    return 0;
  });
});

function rejectUnknown(ids: readonly string[]): void {
  if (ids.length === 0) return;
  throw new Error(`Nothing was removed: the organisation does not have ${ids.join(', ')}`);
}

/** Runs the steps, in turn with the metadata service. Interrupted, the service completes them. */
async function untilEnded(stores: Stores, id: string): Promise<Erasure> {
  const progress = new ProgressLine('erasure');
  const tools = { ...stores, settleMs: defaultSettleMs, onStep: () => undefined };
  try {
    return await endErasure(tools, id, ({ waitingFor, lastError }) => {
      progress.show(undefined, () => lastError ?? `waits for ${waitingFor ?? 'its turn'}`);
    });
  } finally {
    progress.end();
  }
}

/** As JSON, or as lines: `test_httpget: 8760`. */
function print(values: readonly object[], asJson: boolean): void {
  if (asJson) printLine(JSON.stringify(values, null, 2));
  else for (const value of values) printLine(lines(value).join('\n'));
}

function lines(value: object, indent = ''): string[] {
  return Object.entries(value).flatMap(([key, entry]: [string, unknown]) => {
    if (Array.isArray(entry)) return [`${indent}${key}: ${entry.join(', ')}`];
    if (typeof entry !== 'object' || entry === null) return [`${indent}${key}: ${String(entry)}`];
    return [`${indent}${key}:`, ...lines(entry, `${indent}  `)];
  });
}
