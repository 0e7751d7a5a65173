import type { TestKey } from '../../catalog/test-tables.ts';
import { isObject, type JsonObject } from '../../results/json/json-lines.ts';
import { Problems } from '../../shared/errors/problems.ts';
import type { LmapFunction, LmapRegistry } from './lmap-registry.ts';

/** The rows of a report by test, as objects with the columns of the test. */
export interface LmapResults {
  readonly rows: ReadonlyMap<TestKey, readonly object[]>;
  /** Functions that the registry does not have. */
  readonly ignoredFunctions: readonly string[];
}

/** Maps a report of RFC 8194 to results. Throws VALIDATION_FAIL with the problems of its structure. */
export function parseLmapReport(body: unknown, registry: LmapRegistry): LmapResults {
  const problems = new Problems();
  const report = reportOf(body, problems);
  const agentId = report['agent-id'];
  if (typeof agentId !== 'string') problems.add('agent-id', 'This value should be of type string.');
  const rows = new Map<TestKey, object[]>();
  const ignored = new Set<string>();
  listOf(report, 'result', 'result', problems).forEach((result, i) => {
    const path = `result[${i}]`;
    // dtime is the end of a test. RFC 8194 has no end for a result whose action has not ended.
    const dtime = result.end ?? result.start;
    if (typeof dtime !== 'string')
      problems.add(`${path}[end]`, 'This value should be of type string.');
    listOf(result, 'table', `${path}[table]`, problems).forEach((table, k) => {
      const tablePath = `${path}[table][${k}]`;
      const uris = listOf(table, 'function', `${tablePath}[function]`, problems).map(({ uri }) =>
        String(uri),
      );
      const mapped = uris.map((uri) => registry.get(uri)).find((found) => found !== undefined);
      if (mapped === undefined) {
        for (const uri of uris) ignored.add(uri.slice(0, shownCharacters));
        return;
      }
      const added = tableRows(table, mapped, tablePath, problems);
      const all = rows.get(mapped.test) ?? [];
      for (const row of added) all.push({ agent_id: agentId, dtime, ...row });
      rows.set(mapped.test, all);
    });
  });
  problems.throwIfAny();
  return { rows, ignoredFunctions: [...ignored].slice(0, maxIgnored) };
}

const shownCharacters = 200;
const maxIgnored = 100;

/** RESTCONF calls the input of an operation `input`; lmapd writes `report`. */
function reportOf(body: unknown, problems: Problems): JsonObject {
  const { 'ietf-lmap-report:report': report, 'ietf-lmap-report:input': input } = isObject(body)
    ? body
    : {};
  const found = report ?? input;
  if (isObject(found)) return found;
  problems.add('ietf-lmap-report:report', 'This field is missing.');
  return { 'agent-id': '' };
}

/** A list of objects; a missing one is empty. */
function listOf(
  parent: JsonObject,
  name: string,
  path: string,
  problems: Problems,
): readonly JsonObject[] {
  const list = parent[name] ?? [];
  const isList = Array.isArray(list) && list.every(isObject);
  if (!isList) problems.add(path, 'This value should be a list of objects.');
  return isList ? list : [];
}

function tableRows(
  table: JsonObject,
  { columns }: LmapFunction,
  path: string,
  problems: Problems,
): readonly object[] {
  const names: unknown = table.column;
  if (!Array.isArray(names) || !names.every((name) => typeof name === 'string')) {
    problems.add(`${path}[column]`, 'This value should be a list of strings.');
    return [];
  }
  return listOf(table, 'row', `${path}[row]`, problems).flatMap((row, i) => {
    const { value } = row;
    if (!Array.isArray(value) || value.length !== names.length) {
      problems.add(`${path}[row][${i}]`, `This value should have ${names.length} values.`);
      return [];
    }
    const cells = new Map(names.map((name, k) => [name, value[k] as unknown]));
    return [columns === undefined ? Object.fromEntries(cells) : mappedRow(cells, columns)];
  });
}

function mappedRow(
  cells: ReadonlyMap<string, unknown>,
  columns: NonNullable<LmapFunction['columns']>,
): object {
  return Object.fromEntries(
    Object.entries(columns).map(([name, { column, times }]) => {
      const value = cells.get(column) ?? null;
      const number = Number(value);
      // A value that is not a number is rejected by the rules of its column.
      const isScaled =
        times !== undefined && value !== null && value !== '' && Number.isFinite(number);
      return [name, isScaled ? number * times : value];
    }),
  );
}
