import { setTimeout as sleep } from 'node:timers/promises';
import type { ClickHouseClient } from '@clickhouse/client';
import { defaultSettleMs, type Erasure, erasureResponse } from '../../metadata/erasure/erasure.ts';
import { findErasure } from '../../metadata/erasure/erasure-ledger.ts';
import {
  findAgent,
  type IdentifierField,
  identifierFields,
  requestErasure,
} from '../../metadata/erasure/request-erasure.ts';
import { runErasure } from '../../metadata/erasure/run-erasure.ts';
import { storedRows } from '../../metadata/erasure/steps/count-stored.ts';
import type { Database } from '../../shared/postgres/connect-postgres.ts';
import { lockTable } from '../../shared/postgres/lock-table.ts';
import { withAdvisoryLock } from '../../shared/postgres/with-advisory-lock.ts';
import { jsonOption, orgOption } from '../arguments.ts';
import { UsageError } from '../../shared/errors/usage-error.ts';
import { readCliConfig } from '../config.ts';
import { printLine } from '../print.ts';
import { ProgressLine } from '../../shared/progress-line.ts';
import { subcommand } from '../subcommands.ts';
import { withOrganisation } from '../with-stores.ts';

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
  const field = identifierField(values.by);
  return withOrganisation(values.org, async ({ database, organisationId, clickhouse }) => {
    if (values['dry-run'] || !values.yes) {
      await printStored({ database, clickhouse }, organisationId, field, ids, values.json);
      if (values['dry-run']) return 0;
      throw new UsageError('Nothing was removed: an erasure cannot be undone and needs --yes');
    }
    const request = { organisationId, tokenId: null, field, values: ids };
    const { ids: erasureIds, unknown } = await requestErasure(database, request);
    if (unknown.length > 0) throw unknownAgents(unknown);
    const erasures: Erasure[] = [];
    for (const id of erasureIds) {
      erasures.push(
        values['no-wait']
          ? await existing(database, id)
          : await untilEnded({ database, clickhouse }, id),
      );
    }
    print(erasures.map(erasureResponse), values.json);
    return 0;
  });
});

function identifierField(text: string): IdentifierField {
  const field = identifierFields.find((candidate) => candidate === text);
  if (field !== undefined) return field;
  throw new UsageError(`--by must be one of ${identifierFields.join(', ')}, not "${text}"`);
}

interface Stores {
  readonly database: Database;
  readonly clickhouse: ClickHouseClient;
}

async function printStored(
  stores: Stores,
  organisationId: number,
  field: IdentifierField,
  ids: readonly string[],
  asJson: boolean,
): Promise<void> {
  const found = await Promise.all(
    ids.map((id) => findAgent(stores.database, organisationId, field, id)),
  );
  const unknown = ids.filter((_, i) => found[i] === undefined);
  if (unknown.length > 0) throw unknownAgents(unknown);
  const agentKeys = found.flatMap((agent) => agent?.key ?? []);
  const wouldRemove = await storedRows(stores, { organisationId, agentKeys });
  const [exports] = await stores
    .database('exports')
    .where({ organisation_id: organisationId })
    .whereIn('status', ['running', 'done'])
    .count<{ count: number }[]>('* as count');
  print([{ wouldRemove, exports: exports?.count ?? 0 }], asJson);
}

function unknownAgents(ids: readonly string[]): Error {
  return new Error(`Nothing was removed: the organisation does not have ${ids.join(', ')}`);
}

const pollMs = 1_000;

/** Runs the steps, in turn with the metadata service. Interrupted, the service completes them. */
async function untilEnded(stores: Stores, id: string): Promise<Erasure> {
  const progress = new ProgressLine('erasure');
  const tools = {
    ...stores,
    cluster: readCliConfig().clickhouseCluster,
    settleMs: defaultSettleMs,
    onStep: () => undefined,
  };
  try {
    for (;;) {
      await withAdvisoryLock(stores.database, lockTable.erasure(), () => runErasure(tools, id));
      const erasure = await existing(stores.database, id);
      if (erasure.endedAt !== null) return erasure;
      const { waitingFor, lastError } = erasure;
      progress.show(undefined, () => lastError ?? `waits for ${waitingFor ?? 'its turn'}`);
      await sleep(pollMs);
    }
  } finally {
    progress.end();
  }
}

async function existing(database: Database, id: string): Promise<Erasure> {
  const erasure = await findErasure(database, id);
  if (erasure === undefined) throw new Error(`The erasure ${id} does not exist`);
  return erasure;
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
