import type { LocalStack } from '../../test/support/local-stack.ts';
import type { MetricRequest } from '../panel/requests.ts';
import { drain, type Drained } from './drain.ts';

/** Runs one query in three ways: through the service, from stored answers, and as the identical SQL in ClickHouse. */
export interface QueryRunner {
  readonly service: (request: MetricRequest) => Promise<Drained>;
  readonly stored: (request: MetricRequest) => Promise<Drained>;
  readonly direct: (sql: DirectQuery) => Promise<Drained>;
  readonly explain: (request: MetricRequest) => Promise<DirectQuery>;
}

export interface DirectQuery {
  readonly url: URL;
  readonly sql: string;
}

interface Explained {
  readonly sql: string;
  readonly inlined: string;
  readonly settings: Readonly<Record<string, string | number>>;
}

export function queryRunner({ queryUrl, clickhouseUrl }: LocalStack, token: string): QueryRunner {
  const headers = { authorization: token, 'content-type': 'application/json' };
  return {
    service: (request) =>
      drain(`${queryUrl}/metric_data`, {
        headers: { ...headers, 'cache-control': 'no-cache' },
        body: JSON.stringify(request),
      }),
    stored: (request) =>
      drain(`${queryUrl}/metric_data`, { headers, body: JSON.stringify(request) }),
    direct: ({ url, sql }) => drain(url, { body: sql }),
    explain: async (request) => {
      const body = JSON.stringify(request);
      const response = await fetch(`${queryUrl}/metric_data/explain`, {
        method: 'POST',
        headers,
        body,
      });
      if (!response.ok) {
        throw new Error(`explain failed with status ${response.status}: ${await response.text()}`);
      }
      const { data } = (await response.json()) as { data: Explained };
      return directQuery(clickhouseUrl, data);
    },
  };
}

/** The same statement with the settings and the format of the service. */
function directQuery(clickhouseUrl: string, { inlined, settings }: Explained): DirectQuery {
  const url = new URL(clickhouseUrl);
  url.searchParams.set('database', 'netpanel');
  for (const [name, value] of Object.entries(settings)) url.searchParams.set(name, String(value));
  return { url, sql: `${inlined}\nFORMAT JSONEachRow` };
}
