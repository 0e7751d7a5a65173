import type { LocalStack } from '../../test/support/local-stack.ts';
import type { MetricRequest } from '../panel/questions.ts';
import { drain, type Drained } from './drain.ts';

/** Puts one question in two ways: to the service, and as the identical SQL to ClickHouse itself. */
export interface Ask {
  readonly service: (request: MetricRequest) => Promise<Drained>;
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

export function askers({ queryUrl, clickhouseUrl }: LocalStack, token: string): Ask {
  const headers = { authorization: token, 'content-type': 'application/json' };
  return {
    service: (request) =>
      drain(`${queryUrl}/metric_data`, { headers, body: JSON.stringify(request) }),
    direct: ({ url, sql }) => drain(url, { body: sql }),
    explain: async (request) => {
      const body = JSON.stringify(request);
      const answer = await fetch(`${queryUrl}/metric_data/explain`, {
        method: 'POST',
        headers,
        body,
      });
      if (!answer.ok) throw new Error(`explain answered ${answer.status}: ${await answer.text()}`);
      const { data } = (await answer.json()) as { data: Explained };
      return directQuery(clickhouseUrl, data);
    },
  };
}

/** The same statement with the same settings, answered in the form the service asks for. */
function directQuery(clickhouseUrl: string, { inlined, settings }: Explained): DirectQuery {
  const url = new URL(clickhouseUrl);
  url.searchParams.set('database', 'netpanel');
  for (const [name, value] of Object.entries(settings)) url.searchParams.set(name, String(value));
  return { url, sql: `${inlined}\nFORMAT JSONEachRow` };
}
