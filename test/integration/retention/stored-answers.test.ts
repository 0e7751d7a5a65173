import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { evictStoredAnswers } from '../../../services/metadata/retention/stored-answers-eviction.ts';
import { createLogger } from '../../../services/shared/logging/create-logger.ts';
import { queryRows } from '../../../services/shared/clickhouse/query-rows.ts';
import { type IsolatedStores, isolatedStores } from '../../support/isolated-stores.ts';

describe('stored answers', () => {
  const logger = createLogger('eviction-test', 'error');
  let stores: IsolatedStores;

  before(async () => {
    stores = await isolatedStores();
  });
  beforeEach(async () => {
    await stores.clickhouse.command({ query: 'TRUNCATE TABLE stored_answers' });
    for (const day of ['2099-03-01', '2099-03-02', '2099-03-03', '2099-03-04']) await store(day);
  });
  after(() => stores.close());

  it('stay while their table is smaller than 90 % of the limit', async () => {
    const maxBytes = Math.ceil((await storedBytes()) / 0.89);
    await evictStoredAnswers({ clickhouse: stores.clickhouse, maxBytes, logger });
    expect(await storedDays()).to.have.length(4);
  });

  it('are removed from the oldest day on, until 60 % of the limit are left', async () => {
    const maxBytes = await storedBytes();
    await evictStoredAnswers({ clickhouse: stores.clickhouse, maxBytes, logger });
    expect(await storedDays()).to.deep.equal(['20990303', '20990304']);
  });

  it('are all removed if the last day alone is over the limit, or the limit is 0', async () => {
    await evictStoredAnswers({ clickhouse: stores.clickhouse, maxBytes: 1_000, logger });
    expect(await storedDays()).to.deep.equal([]);
    await store('2099-03-05');
    await evictStoredAnswers({ clickhouse: stores.clickhouse, maxBytes: 0, logger });
    expect(await storedDays()).to.deep.equal([]);
  });

  /** Bytes that cannot be compressed, so that all days have the same size. */
  async function store(day: string): Promise<void> {
    await stores.clickhouse.insert({
      table: 'stored_answers',
      format: 'JSONEachRow',
      values: [
        {
          organisation_id: 1,
          key: day,
          rows_text: randomBytes(50_000).toString('base64'),
          stored_at: `${day} 12:00:00`,
        },
      ],
    });
  }

  async function storedBytes(): Promise<number> {
    const [stored] = await queryRows<{ bytes: string }>(
      stores.clickhouse,
      `SELECT toString(sum(bytes_on_disk)) AS bytes FROM system.parts
WHERE database = currentDatabase() AND table = 'stored_answers' AND active`,
    );
    return Number(stored?.bytes);
  }

  async function storedDays(): Promise<string[]> {
    const days = await queryRows<{ day: string }>(
      stores.clickhouse,
      'SELECT DISTINCT toString(toYYYYMMDD(stored_at)) AS day FROM stored_answers ORDER BY day',
    );
    return days.map(({ day }) => day);
  }
});
