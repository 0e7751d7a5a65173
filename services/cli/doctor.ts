import { exportSettings } from '../query/settings/export-settings.ts';
import { compareSets } from '../registry/agents/copy-set.ts';
import { compareReplicates } from '../registry/weights/weight-replicates.ts';
import { snapshotState } from '../registry/versions/snapshot-state.ts';
import { type Check, schemaChecks } from '../schema/schema-checks.ts';
import { queryRows } from '../shared/clickhouse/query-rows.ts';
import { openObjectStore, tryObjectStore } from '../shared/object-store/open-object-store.ts';
import type { Database } from '../shared/postgres/connect-postgres.ts';
import { postgresNow, readClock } from '../shared/postgres/postgres-clock.ts';
import type { Stores } from '../shared/stores.ts';
import { withTimeout } from '../shared/with-timeout.ts';
import { jsonOption } from './arguments.ts';
import type { Command } from './command.ts';
import { cliSettings, readCliConfig } from './config.ts';
import { subcommand } from './subcommands.ts';
import { withStores } from './with-stores.ts';
import { printLine } from './print.ts';
import { styleFor } from './terminal/style.ts';

export const doctorCommand: Command = {
  about: 'Check a deployment, and suggest a fix for each problem',
  usage: `netpanel doctor [--json]

Checks that databases are reachable, versions supported, schemas up to date, row-level security in
force, dictionaries loaded, metadata published, the object store writable and clocks synchronised.
Prints one line per check, with --json one object: {"healthy", "checks": [{"name", "ok", "details", "remedy"}]}. The
exit code is 1 when a check fails.`,

  run: subcommand(jsonOption, undefined, ({ json }) =>
    withStores(async (stores) => {
      const results: CheckResult[] = [];
      for (const check of doctorChecks(stores)) {
        const result = await runCheck(check);
        results.push(result);
        if (!json) printCheck(result);
      }
      const healthy = results.every(({ ok }) => ok);
      if (json) printLine(JSON.stringify({ healthy, checks: results }, null, 2));
      return healthy ? 0 : 1;
    }),
  ),
};

/** The checks in order of dependency. */
function doctorChecks(stores: Stores): readonly Check[] {
  return [
    ...schemaChecks(stores, readCliConfig()),
    {
      name: 'Metadata snapshot',
      run: () => publishedSnapshot(stores.database),
      remedy: 'check that the metadata service runs, and read its log',
    },
    {
      name: 'Agent sets',
      run: () => compareSets(stores),
      remedy: 'run netpanel sets copy --org ORG',
    },
    {
      name: 'Replicate weights',
      run: () => compareReplicates(stores),
      remedy: 'run netpanel weights copy --org ORG',
    },
    {
      name: 'Object store',
      run: objectStoreState,
      remedy: 'check EXPORT_STORE and the settings of the folder (EXPORT_FOLDER) or of S3 (S3_…)',
    },
    {
      name: 'Clocks',
      run: () => clockDifference(stores),
      remedy: 'synchronise the clocks of the machines with NTP',
    },
  ];
}

/** Changes are normally published within seconds. */
const staleAfterS = 60;

async function publishedSnapshot(database: Database): Promise<string> {
  const { waitingChanges, lagS } = await snapshotState(database);
  if (lagS > staleAfterS) {
    throw new Error(`${waitingChanges} changes not published, oldest ${Math.round(lagS)} s ago`);
  }
  return waitingChanges === 0
    ? 'every change is published'
    : `${waitingChanges} changes not published yet`;
}

async function objectStoreState(): Promise<string> {
  const store = await openObjectStore(cliSettings(exportSettings), () => 'no link is requested');
  await tryObjectStore(store);
  return `${store.name} is writable`;
}

const clockToleranceMs = 5_000;

async function clockDifference({ database, clickhouse }: Stores): Promise<string> {
  const clocks = {
    Postgres: await readClock(async () => (await postgresNow(database)).getTime()),
    ClickHouse: await readClock(async () => {
      const sql = 'SELECT toString(toUnixTimestamp64Milli(now64(3))) AS ms';
      const [row] = await queryRows<{ ms: string }>(clickhouse, sql);
      return Number(row?.ms);
    }),
  };
  const off = Object.entries(clocks).filter(
    ([, { skewMs }]) => Math.abs(skewMs) > clockToleranceMs,
  );
  if (off.length > 0) {
    throw new Error(
      off
        .map(
          ([name, { skewMs }]) =>
            `${name} differs by ${Math.round(-skewMs / 1000)} s from this machine`,
        )
        .join(', '),
    );
  }
  return `within ${clockToleranceMs / 1000} s of each other`;
}

interface CheckResult {
  readonly name: string;
  readonly ok: boolean;
  readonly details: string;
  /** Only of a failed check. */
  readonly remedy?: string;
}

async function runCheck({ name, run, remedy }: Check): Promise<CheckResult> {
  try {
    return { name, ok: true, details: await withTimeout(checkTimeoutMs, run()) };
  } catch (error) {
    return { name, ok: false, details: firstLine(error), remedy };
  }
}

function printCheck({ name, ok, details, remedy = '' }: CheckResult): void {
  const style = styleFor(process.stdout);
  printLine(
    ok
      ? `${style('ok', 'green')}      ${name}: ${details}`
      : `${style('not ok', 'red')}  ${name}: ${details}\n        → ${remedy}`,
  );
}

const checkTimeoutMs = 15_000;

// The AggregateError of a refused connection has an empty message.
function firstLine(error: unknown): string {
  const inner = error instanceof AggregateError ? (error.errors[0] as unknown) : error;
  return (inner instanceof Error ? inner.message : String(inner)).split('\n', 1)[0] ?? '';
}
