import { expect } from 'chai';
import { standardFields } from '../../../services/catalog/fields.ts';
import { readQueryConfig } from '../../../services/query/config.ts';
import { knownValues } from '../../../services/query/listing/known-values.ts';
import { unknownValueWarnings } from '../../../services/query/warnings/unknown-value-warnings.ts';
import { connectClickHouse } from '../../../services/shared/clickhouse/connect-clickhouse.ts';
import type { Warning } from '../../../services/shared/errors/warnings.ts';
import { createLogger } from '../../../services/shared/logging/create-logger.ts';
import { freePort } from '../../support/free-port.ts';
import { localClickHouse } from '../../../deploy/local/local-clickhouse.ts';

describe('the check of filter values', () => {
  it('adds no warning and no error if ClickHouse cannot be reached', async () => {
    const url = `http://127.0.0.1:${await freePort()}`;
    const clickhouse = connectClickHouse(localClickHouse(url), 'netpanel-test');
    const limits = readQueryConfig({
      CLICKHOUSE_URL: url,
      DATABASE_URL: 'postgres://localhost/none',
    });
    const logger = createLogger('test', 'error');
    logger.silent = true;
    const field = standardFields.find(({ name }) => name === 'isp')!;
    const own: Warning = { code: 'UNKNOWN_FIELD', field: 'zzzz', message: 'Ignored.' };
    const query = {
      organisationId: 1,
      filters: [{ field, mode: 'include' as const, values: ['Northwav'] }],
      warnings: [own],
    };
    const known = knownValues(clickhouse, limits);
    expect(await unknownValueWarnings(query, known, logger)).to.deep.equal([own]);
    await clickhouse.close();
  });
});
