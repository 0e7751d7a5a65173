import type { EnvFile } from '../../services/shared/config/env-file.ts';
import { localStack } from '../../services/shared/local-stack.ts';

/** Addresses, tokens and three sample commands. */
export function banner(env: EnvFile, clickhouse: string): string {
  const value = (name: string) => env[name] ?? '';
  const [from, to] = lastWeek();
  return `
netpanel is running.

  data interface      ${value('QUERY_URL')}      in a browser: ${value('QUERY_URL')}/docs
  explorer            ${value('QUERY_URL')}/explorer
  metadata interface  ${value('METADATA_URL')}      in a browser: ${value('METADATA_URL')}/docs
  ingestion interface ${value('INGEST_URL')}      in a browser: ${value('INGEST_URL')}/docs
  ClickHouse          ${value('CLICKHOUSE_URL')}      ${clickhouse}
  Postgres            ${value('DATABASE_URL')}

  demo,  data         ${value('DEMO_DATA_TOKEN')}
  demo,  metadata     ${value('DEMO_METADATA_TOKEN')}
  demo,  ingestion    ${value('DEMO_INGEST_TOKEN')}
  other, data         ${value('OTHER_DATA_TOKEN')}
  other, metadata     ${value('OTHER_METADATA_TOKEN')}

These addresses and tokens are in ${localStack.shownFolder}/env. Try:

curl -s ${value('QUERY_URL')}/metric_data -H 'Authorization: ${value('DEMO_DATA_TOKEN')}' -H 'Content-Type: application/json' -d '{"metric":"httpget","chartType":"aggregate","aggregation":"daily","normalised":false,"prefilter":true,"splits":["isp"],"time":{"from":"${from} 00:00","to":"${to} 23:59:59"}}'

curl -s ${value('METADATA_URL')}/metadata/unit/100003 -H 'Authorization: Bearer ${value('DEMO_METADATA_TOKEN')}'

curl -s ${value('CLICKHOUSE_URL')} --data 'SELECT package, round(quantileExactInclusive(0.5)(value)) AS mbps, count() FROM netpanel.metric_httpget WHERE organisation_id = 1 GROUP BY package ORDER BY mbps DESC FORMAT PrettyCompact'
`;
}

function lastWeek(): [from: string, to: string] {
  const dayMs = 86_400_000;
  const day = (daysAgo: number) =>
    new Date(Date.now() - daysAgo * dayMs).toISOString().slice(0, 10);
  return [day(7), day(1)];
}
