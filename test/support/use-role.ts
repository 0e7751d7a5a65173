import { join } from 'node:path';
import type { ClickHouseClient } from '@clickhouse/client';
import { expect } from 'chai';
import { after, before } from 'mocha';
import { chooseEngine } from '../../deploy/local/choose-engine.ts';
import type { LocalClickHouse } from '../../deploy/local/start-clickhouse.ts';
import {
  type ClickHouseSettings,
  connectClickHouse,
} from '../../services/shared/clickhouse/connect-clickhouse.ts';
import { migrateUser, startAsRole } from './role-server.ts';

/** A server on a data folder with the grants of a role, for the tests of one describe(). */
export function useRole(dataDir: string, role: string | (() => Promise<LocalClickHouse>)) {
  let server: LocalClickHouse | undefined;
  let client: ClickHouseClient | undefined;
  const settings = (): ClickHouseSettings => ({
    clickhouseUrl: server?.url ?? '',
    clickhouseDatabase: 'netpanel',
    // The local server ignores the user of a query; migrations name it in the dictionaries.
    clickhouseUser: migrateUser,
    clickhousePassword: '',
  });
  before(async () => {
    server = await (typeof role === 'string' ? startAsRole(dataDir, role) : role());
    client = connectClickHouse({ ...settings(), clickhouseDatabase: 'default' }, 'roles-test');
  });
  after(async () => {
    await client?.close();
    await server?.stop();
  });
  return {
    settings,
    /** Environment of a process that works with the grants of the role. */
    env: () => ({
      CLICKHOUSE_URL: settings().clickhouseUrl,
      CLICKHOUSE_DATABASE: 'netpanel',
      CLICKHOUSE_USER: migrateUser,
      EXPORT_FOLDER: join(dataDir, 'exports'),
    }),
    rows: async <Row>(query: string, clickhouse_settings = {}): Promise<Row[]> => {
      const result = await client!.query({
        query,
        format: 'JSONEachRow',
        clickhouse_settings: { output_format_json_quote_64bit_integers: 0, ...clickhouse_settings },
      });
      return result.json();
    },
    /** Fails unless ClickHouse rejects the query with one of these codes. */
    expectError: async (
      codes: number | readonly number[],
      query: string,
      clickhouse_settings = {},
    ) => {
      const failure = await client!
        .exec({ query, clickhouse_settings })
        .then(({ stream }) => stream.toArray())
        .then(() => ({ code: 'none', message: 'no error' }))
        .catch((error: unknown) => error as { code: string; message: string });
      expect(failure.code, `${query}: ${failure.message}`).to.be.oneOf([codes].flat().map(String));
    },
  };
}

/** Skips the tests of a describe() without the native engine, the only one that enforces roles. */
export function requireNativeEngine(): void {
  before(async function () {
    const { engine, reason } = await chooseEngine();
    if (engine === 'native') return;
    const isExpected = process.arch === 'x64' && process.env.CLICKHOUSE_ENGINE === undefined;
    if (isExpected) throw new Error(`The native engine must run on x64: ${reason}`);
    process.stdout.write(`    skipped: only the native engine enforces roles (${reason})\n`);
    this.skip();
  });
}
