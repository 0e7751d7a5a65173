import { type TestColumn, testColumns, testTable } from '../../catalog/test-tables.ts';
import type { OpenRows } from '../../results/rows/open-rows.ts';
import { csvSettings } from '../../results/insert/insert-block.ts';
import { type RowsToInsert, unixTime } from '../../results/insert/rows-to-insert.ts';
import { queryRows } from '../../shared/clickhouse/query-rows.ts';
import type { LoadTarget } from './load-target.ts';

/** A row of a file that has the key of a stored result, but other values. */
interface DifferingRow {
  readonly line: number;
  readonly values: readonly {
    readonly column: string;
    readonly stored: string;
    readonly inFile: string;
  }[];
}

export interface DifferingRows {
  readonly rows: number;
  /** The first of them. */
  readonly first: readonly DifferingRow[];
}

interface StoredBefore {
  /** Compare with results that were received before, in microseconds since 1970. */
  readonly receivedBeforeUs: number;
  /** Compare only if some of them were corrected later than this. */
  readonly correctedAfterUs: number | undefined;
}

/** Compares rows with the stored results that have the same keys. */
export class StoredRows {
  readonly #target: LoadTarget;
  readonly #rows: OpenRows;
  /** Columns that the file has itself. */
  readonly #compared: readonly TestColumn[];

  constructor(target: LoadTarget, rows: OpenRows) {
    this.#target = target;
    this.#rows = rows;
    this.#compared = testColumns(target.test).filter(
      ({ name, isKey }) => !isKey && !ofAgent.has(name) && rows.plan.insertNames.includes(name),
    );
  }

  async differingFrom(rows: RowsToInsert, before: StoredBefore): Promise<DifferingRows> {
    let total = 0;
    const first: DifferingRow[] = [];
    if (this.#compared.length === 0 || !(await this.#mayHave(rows, before))) {
      return { rows: total, first };
    }
    for (const text of this.#parts(rows)) {
      const found = await this.#compare(text, rows, before);
      total += found.rows;
      first.push(...found.first.slice(0, maxListed - first.length));
    }
    return { rows: total, first };
  }

  /** Finds out cheaply that nothing is stored for these agents and days, as in most loads. */
  async #mayHave(rows: RowsToInsert, before: StoredBefore): Promise<boolean> {
    const { clickhouse, test, organisationId } = this.#target;
    const found = await queryRows(
      clickhouse,
      `SELECT 1 AS found FROM test_${test} WHERE ${this.#where(rows, before)}
${before.correctedAfterUs === undefined ? '' : `AND toUnixTimestamp64Micro(corrected_at) > ${before.correctedAfterUs}`}
LIMIT 1`,
      { query_params: { organisationId, ...this.#constantKeys() }, clickhouse_settings: unlimited },
    );
    return found.length > 0;
  }

  async #compare(text: string, rows: RowsToInsert, before: StoredBefore): Promise<DifferingRows> {
    const { clickhouse, test, organisationId } = this.#target;
    const columns = testColumns(test);
    const { insertNames, separator } = this.#rows;
    const keys = columns.filter(({ isKey }) => isKey);
    const keyNames = ['agent_key', ...keys.map(({ name }) => name)].join(', ');
    const typeOf = new Map(columns.map(({ name, type }) => [name, plainType(type)]));
    const structure = insertNames.map(
      (name) => `${name} Nullable(${typeOf.get(name) ?? 'String'})`,
    );
    const given = (column: TestColumn) =>
      insertNames.includes(column.name)
        ? `ifNull(${column.name}, ${defaultSql(column)})`
        : defaultSql(column);
    const pairs = this.#compared.map(
      ({ name }) => `('${name}', ifNull(toString(${name}), ''), ifNull(toString(new_${name}), ''))`,
    );
    const found = await queryRows<{
      total: string | number;
      line: number;
      differences: readonly (readonly [string, string, string])[];
    }>(
      clickhouse,
      `SELECT count() OVER () AS total, line, differences
FROM (
  SELECT line, arrayFilter(pair -> pair.2 != pair.3, [${pairs.join(', ')}]) AS differences
  FROM (
    SELECT ${[keyNames, ...this.#compared.map(({ name }) => name)].join(', ')}
    FROM test_${test} FINAL
    WHERE ${this.#where(rows, before)}
  ) AS stored
  INNER JOIN (
    SELECT ${[
      'line',
      'assumeNotNull(toUInt64(agent_key)) AS agent_key',
      ...keys.map((column) => `${given(column)} AS ${column.name}`),
      ...this.#compared.map((column) => `${given(column)} AS new_${column.name}`),
    ].join(', ')}
    FROM format('CSV', '${escaped(['line UInt32', ...structure].join(', '))}', '${escaped(text)}')
    ORDER BY line LIMIT 1 BY ${keyNames}
  ) AS given USING (${keyNames})
)
WHERE notEmpty(differences)
ORDER BY line LIMIT ${maxListed}
SETTINGS do_not_merge_across_partitions_select_final = 1`,
      {
        query_params: { organisationId, ...this.#constantKeys() },
        // The query text contains the rows, which must not appear in the server's query log.
        clickhouse_settings: { ...csvSettings(separator), ...unlimited, log_queries: 0 },
      },
    );
    return {
      rows: Number(found[0]?.total ?? 0),
      first: found.map(({ line, differences }) => ({
        line,
        values: differences.map(([column, stored, inFile]) => ({ column, stored, inFile })),
      })),
    };
  }

  /** Results of the agents, days and constant keys of the rows. */
  #where({ fromS, toS, agentKeys }: RowsToInsert, { receivedBeforeUs }: StoredBefore): string {
    const [from, to] = [fromS, toS].map((seconds) => new Date(seconds * 1000).toISOString());
    const constants = Object.keys(this.#constantKeys());
    return [
      'organisation_id = {organisationId:UInt32}',
      `toDate(dtime) BETWEEN '${from?.slice(0, 10)}' AND '${to?.slice(0, 10)}'`,
      `dtime >= toDateTime64('${fromS}', 3, 'UTC') AND dtime < toDateTime64('${toS + 1}', 3, 'UTC')`,
      `agent_key IN (${[...agentKeys].join(', ')})`,
      `received_at < toDateTime64('${unixTime(receivedBeforeUs)}', 6, 'UTC')`,
      ...constants.map((name) => `toString(${name}) = {${name}:String}`),
    ].join(' AND ');
  }

  /** Such as ip_version = 6: the same agents have other rows at the same times. */
  #constantKeys(): Readonly<Record<string, string>> {
    const { test, constants } = this.#target;
    const isKey = (name: string) => testTable(test).rowKey.includes(name);
    return Object.fromEntries(
      Object.entries(constants).flatMap(([name, value]) =>
        isKey(name) ? [[name, String(value)]] : [],
      ),
    );
  }

  /** The rows in parts that fit into a query, each row after its line. */
  *#parts({ bytes, starts, rowCount, lines }: RowsToInsert): Generator<string> {
    let text = '';
    for (let row = 0; row < rowCount; row++) {
      const end = starts[row + 1] ?? bytes.length;
      text += `${lines[row]}${this.#rows.separator}${bytes.toString('utf8', starts[row], end)}`;
      if (text.length < partCharacters && row < rowCount - 1) continue;
      yield text;
      text = '';
    }
  }
}

/** Differing rows of a file that are listed. */
export const maxListed = 5;
const partCharacters = 8 * 1024 ** 2;
/** Of the size of a query. */
const unlimited = { max_query_size: '0' } as const;
/** Identifies the agent, and is stored as registered. */
const ofAgent = new Set(['agent_id', 'unit_id']);

/** `String` of `LowCardinality(String)`. */
function plainType(type: string): string {
  return /^(?:Nullable|LowCardinality)\((.+)\)$/.exec(type)?.[1] ?? type;
}

/** What ClickHouse stores for a blank field. */
function defaultSql({ type, default: value }: TestColumn): string {
  if (type.startsWith('Nullable')) return 'NULL';
  const plain = escaped(plainType(type));
  return value === undefined ? `defaultValueOfTypeName('${plain}')` : `CAST(${value}, '${plain}')`;
}

function escaped(text: string): string {
  return text.replace(/[\\']/g, '\\$&');
}
