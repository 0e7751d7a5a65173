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

/** What is true of an agent from a moment on; the last one stays true. */
interface Stretch extends Changes {
  readonly agent: number;
  readonly from?: string;
  readonly to?: string;
}

/** A migrated database with agents and results, asked through the compiler. */
export interface Panel {
  /** Publishes more agents; those published before stay. */
  readonly agents: (...stretches: readonly Stretch[]) => Promise<void>;
  readonly results: (test: string, rows: readonly Row[]) => Promise<void>;
  /** The points that response a request of an organisation. */
  readonly ask: (
    organisation: number,
    changes: Changes,
    context?: Partial<ParseContext>,
  ) => Promise<Row[]>;
  readonly askTest: (organisation: number, body: Changes) => Promise<Row[]>;
  /** The response of the same request with its values written into the text. */
  readonly askInlined: (organisation: number, changes: Changes) => Promise<Row[]>;
  readonly run: (query: string) => Promise<string>;
  readonly close: () => Promise<void>;
}

/** The first to ask starts the engine, which takes a while on a busy machine. */
export const startTimeoutMs = 180_000;

export async function openPanel(database: string): Promise<Panel> {
  const schema = await openSchema(database);
  const client = connectClickHouse(schema.settings, 'netpanel-test');
  const published: Row[] = [];
  let version = 0;
  return {
    agents: async (...stretches) => {
      version++;
      published.push(...stretches.map(snapshotRow));
      const rows = published.map((row) => ({ ...row, version }));
      await schema.insert('agent_metadata_snapshot', rows);
      await schema.insert('agent_metadata_version', [
        { version, row_count: rows.length, content_hash: 0 },
      ]);
      await schema.command('SYSTEM RELOAD DICTIONARY agent_metadata');
    },
    results: (test, rows) => schema.insert(`test_${test}`, rows.map(resultRow)),
    ask: (organisation, changes, context) =>
      rowsOf(client, compiledMetric(organisation, changes, context)),
    askTest: (organisationId, body) =>
      rowsOf(client, compileTestQuery(parseTestQuery(body, { ...parseContext, organisationId }))),
    askInlined: (organisation, changes) =>
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

function snapshotRow({ agent, from, to, ...attributes }: Stretch): Row {
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

/** `org` and `agent` say whose result it is; the rest are columns. */
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
