import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { connectClickHouse } from '../../../services/shared/clickhouse/connect-clickhouse.ts';
import { queryRows } from '../../../services/shared/clickhouse/query-rows.ts';

describe('a connection to ClickHouse', () => {
  it('asks old versions not to report an exception as a row', async () => {
    let query: URLSearchParams | undefined;
    const server = createServer((req, res) => {
      query = new URL(req.url ?? '', 'http://clickhouse').searchParams;
      res.end('{"a":1}\n');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const client = connectClickHouse(
      {
        clickhouseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
        clickhouseDatabase: 'default',
        clickhouseUser: 'default',
        clickhousePassword: '',
      },
      'test',
    );
    expect(await queryRows(client, 'SELECT 1 AS a')).to.deep.equal([{ a: 1 }]);
    expect(query?.get('http_write_exception_in_output_format')).to.equal('0');
    await client.close();
    server.close();
  });
});
