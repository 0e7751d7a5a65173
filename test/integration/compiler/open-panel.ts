import type { ClickHouseClient } from '@clickhouse/client';
import { compileMetricQuery } from '../../../services/query/compiler/compile-metric-query.ts';
import { compileTestQuery } from '../../../services/query/compiler/compile-test-query.ts';
import type { CompiledQuery } from '../../../services/query/compiler/compiled-query.ts';
import type { ParseContext } from '../../../services/query/request/parse-context.ts';
import { parseTestQuery } from '../../../services/query/request/parse-test-query.ts';
import { connectClickHouse } from '../../../services/shared/clickhouse/connect-clickhouse.ts';
import { paramValues, printInlined } from '../../../services/shared/sql/print-query.ts';
import { metricQuery, parseContext } from '../../support/metric-request.ts';
import { openSchema } from '../schema/open-schema.ts';

export type Row = Record<string, unknown>;
export type Changes = Readonly<Record<string, unknown>>;

/** A validity period of an agent's metadata; without `to` it is open-ended. */
interface Period extends Changes {
  readonly agent: number;
  readonly from?: string;
  readonly to?: string;
}

/** A migrated database with agents and results, queried through the compiler. */
export interface Panel {
  /** Publishes more agents and keeps those published before. */
  readonly agents: (...periods: readonly Period[]) => Promise<void>;
  readonly results: (test: string, rows: readonly Row[]) => Promise<void>;
  /** The points of a metric data request of an organisation. */
  readonly query: (
    organisation: number,
    changes: Changes,
    context?: Partial<ParseContext>,
  ) => Promise<Row[]>;
  readonly queryTest: (organisation: number, body: Changes) => Promise<Row[]>;
  /** The points of the same request with its values inlined into the SQL. */
  readonly queryInlined: (organisation: number, changes: Changes) => Promise<Row[]>;
  readonly run: (query: string) => Promise<string>;
  readonly close: () => Promise<void>;
}

export async function openPanel(): Promise<Panel> {
  const schema = await openSchema();
  const client = connectClickHouse(schema.settings, 'netpanel-test');
  const published: Row[] = [];
  let publication = 0;
  return {
    agents: async (...periods) => {
      publication++;
      published.push(...periods.map(snapshotRow));
      const rows: Row[] = published.map((row) => ({ ...row, publication }));
      await schema.insert('agent_metadata_period', rows);
      const organisations = new Set(rows.map(({ organisation_id }) => organisation_id));
      await schema.insert(
        'agent_metadata_publication',
        [...organisations].map((organisation_id) => ({ organisation_id, publication })),
      );
      for (const dictionary of ['custom_value', 'agent_metadata']) {
        await schema.command(`SYSTEM RELOAD DICTIONARY ${dictionary}`);
      }
    },
    results: (test, rows) => schema.insert(`test_${test}`, rows.map(resultRow)),
    query: (organisation, changes, context) =>
      rowsOf(client, compiledMetric(organisation, changes, context)),
    queryTest: (organisationId, body) =>
      rowsOf(client, compileTestQuery(parseTestQuery(body, { ...parseContext, organisationId }))),
    queryInlined: (organisation, changes) =>
      rowsOf(client, {
        ...compiledMetric(organisation, changes),
        sql: printInlined(compiledMetric(organisation, changes).query),
        params: {},
      }),
    run: async (query) => (await client.query({ query, format: 'TabSeparatedRaw' })).text(),
    close: async () => {
      await client.close();
      await schema.close();
    },
  };
}

function compiledMetric(
  organisationId: number,
  changes: Changes,
  context: Partial<ParseContext> = {},
): CompiledQuery {
  const query = metricQuery(changes, { ...parseContext, organisationId, ...context });
  return compileMetricQuery(query);
}

async function rowsOf(client: ClickHouseClient, { sql, params }: CompiledQuery): Promise<Row[]> {
  const response = await client.query({
    query: sql,
    query_params: paramValues(params),
    format: 'JSONEachRow',
  });
  return response.json<Row>();
}

function snapshotRow({ agent, from, to, ...attributes }: Period): Row {
  return {
    organisation_id: 1,
    agent_key: agent,
    valid_from: from ?? '1970-01-01 00:00:00',
    valid_to: to ?? '2106-02-07 06:28:15',
    agent_id: `agent-${agent}`,
    kind: 'Whitebox',
    ...attributes,
  };
}

/** `org` and `agent` identify the agent; all other fields are columns. */
function resultRow({ org, agent, ...columns }: Row): Row {
  return {
    organisation_id: org ?? 1,
    agent_key: agent,
    agent_id: `agent-${String(agent)}`,
    unit_id: agent,
    successes: 1,
    failures: 0,
    ...columns,
  };
}
