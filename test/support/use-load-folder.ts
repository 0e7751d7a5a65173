import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, beforeEach } from 'mocha';
import { queryRows } from '../../services/shared/clickhouse/query-rows.ts';
import { localStack, type LocalStack } from './local-stack.ts';
import { newTenant, type Tenant } from './tenant.ts';

export interface LoadFolder {
  readonly stack: LocalStack;
  /** A new organisation for each test. */
  readonly tenant: Tenant;
  /** Another organisation for the rest of the test. */
  newOrganisation(): Promise<void>;
  /** The same for all tests. */
  readonly folder: string;
  /** Writes a file and returns its path. */
  file(name: string, content: string | Buffer): string;
  /** The same from lines without their ends. */
  csv(name: string, ...lines: readonly string[]): string;
  /** The results of the organisation, each once, by time. */
  stored<T extends object>(test: string, columns: string): Promise<T[]>;
  /** With duplicates that ClickHouse has not merged yet. */
  storedRowCount(test: string): Promise<number>;
}

/** A folder for files to load, and an organisation per test, for the tests of one describe(). */
export function useLoadFolder(): LoadFolder {
  let stack: LocalStack;
  let tenant: Tenant;
  let folder: string;

  before(async () => {
    stack = await localStack();
    folder = mkdtempSync(join(tmpdir(), 'netpanel-load-'));
  });
  const newOrganisation = async () => {
    tenant = await newTenant(stack.database);
  };
  beforeEach(newOrganisation);
  after(() => rmSync(folder, { recursive: true, force: true }));

  const file = (name: string, content: string | Buffer) => {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    return path;
  };

  return {
    get stack() {
      return stack;
    },
    get tenant() {
      return tenant;
    },
    newOrganisation,
    get folder() {
      return folder;
    },
    file,
    csv: (name, ...lines) => file(name, `${lines.join('\n')}\n`),
    stored: (test, columns) =>
      queryRows(
        stack.clickhouse,
        `SELECT ${columns} FROM test_${test} FINAL
WHERE organisation_id = ${tenant.organisationId} ORDER BY dtime, agent_key`,
      ),
    async storedRowCount(test) {
      const [row] = await queryRows<{ n: number }>(
        stack.clickhouse,
        `SELECT toUInt32(count()) AS n FROM test_${test} WHERE organisation_id = ${tenant.organisationId}`,
      );
      return row!.n;
    },
  };
}
