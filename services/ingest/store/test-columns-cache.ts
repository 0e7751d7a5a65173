import type { ClickHouseClient } from '@clickhouse/client';
import { LRUCache } from 'lru-cache';
import { type TestColumn, testColumns } from '../../results/columns/test-columns.ts';

/** A migration that adds a column is noticed after this time. */
const keptMs = 60_000;

/** The columns of tests, as ClickHouse has them. */
export class TestColumnsCache {
  readonly #columns: LRUCache<string, readonly TestColumn[]>;

  constructor(clickhouse: ClickHouseClient) {
    this.#columns = new LRUCache({
      max: 100,
      ttl: keptMs,
      fetchMethod: (test) => testColumns(clickhouse, test),
    });
  }

  async of(test: string): Promise<readonly TestColumn[]> {
    const columns = await this.#columns.fetch(test);
    if (columns === undefined || columns.length === 0) {
      this.#columns.delete(test);
      throw new Error(`ClickHouse has no table for the test ${test}: run netpanel migrate`);
    }
    return columns;
  }
}
