import { isParam, type Expression, type Param, type ParamValue } from './expression.ts';
import { escapeText, quote } from './quote.ts';
import type { Column, Query, Select, Step } from './select.ts';

/** The text of a statement with `{name:Type}` placeholders, and the values by name. */
export interface PrintedQuery {
  readonly sql: string;
  readonly params: QueryParams;
}

export type QueryParams = Readonly<Record<string, QueryParam>>;

interface QueryParam {
  readonly type: string;
  readonly value: ParamValue;
}

export function printQuery(query: Query): PrintedQuery {
  const params: Record<string, QueryParam> = {};
  const nameOf = paramNames();
  const printParam = (param: Param) => {
    const name = nameOf(param);
    params[name] = { type: param.type, value: param.value };
    return `{${name}:${param.type}}`;
  };
  return { sql: queryText(query, { printParam, printText: asItIs }), params };
}

const asItIs = (text: string) => text;

/** The values in the form of the ClickHouse client's `query_params`. */
export function paramValues(params: QueryParams): Record<string, ParamValue> {
  return Object.fromEntries(Object.entries(params).map(([name, { value }]) => [name, value]));
}

/** A value as ClickHouse's HTTP interface takes it, in `param_<name>`. */
export function paramText(value: ParamValue): string {
  if (typeof value === 'string') return escapeText(value, ['\n', '\r', '\t', '\0', '\b', '\f']);
  return typeof value === 'number' ? scalar(value) : listText(value);
}

/** The text with inlined values. With a database it can be pasted into a client that uses another one. */
export function printInlined(query: Query, database?: string): string {
  const printText = database === undefined ? asItIs : withDatabase(database, query);
  return queryText(query, { printParam: literal, printText });
}

/** Names the database of tables and dictionaries. Steps of the query have none. Bound values are not changed. */
function withDatabase(database: string, { steps }: Query): (text: string) => string {
  const ofQuery = new Set(steps.map(({ name }) => name));
  const quoted = /^\w+$/.test(database) ? database : quote(database, '`');
  return (text) =>
    text
      .replace(/\b(?<!ARRAY )(FROM|JOIN) (\w+)/g, (found, word: string, table: string) =>
        ofQuery.has(table) ? found : `${word} ${quoted}.${table}`,
      )
      .replace(/\b(dict(?:Get|Has)\w*\()'(\w+)'/g, (_, call: string, dictionary: string) => {
        return `${call}${quote(`${database}.${dictionary}`)}`;
      });
}

interface Printer {
  readonly printParam: (param: Param) => string;
  /** SQL of the catalogue and the compiler. */
  readonly printText: (text: string) => string;
}

// Equal values share a name; otherwise the second `isp` is isp_2. A request may have a thousand.
function paramNames(): (param: Param) => string {
  const names = new Map<string, Map<ParamValue, string>>();
  const counts = new Map<string, number>();
  const newName = (name: string) => {
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return count === 1 ? name : `${name}_${count}`;
  };
  return ({ name, type, value }) => {
    const byValue = names.get(`${name}:${type}`) ?? new Map<ParamValue, string>();
    names.set(`${name}:${type}`, byValue);
    const chosen = byValue.get(value) ?? newName(name);
    byValue.set(value, chosen);
    return chosen;
  };
}

function queryText({ steps, why, select, settings = [] }: Query, printer: Printer): string {
  const ctes = steps.map((step, i) =>
    [
      ...comments(step.why),
      `${step.name} AS (\n${indented(selectText(step.select, steps[i - 1], printer))}\n)`,
    ].join('\n'),
  );
  return [
    ...clause('WITH', ctes, ','),
    ...comments(why),
    selectText(select, steps.at(-1), printer),
    ...clause('SETTINGS', settings, ','),
  ].join('\n');
}

function comments(why: string | undefined): readonly string[] {
  return why === undefined ? [] : why.split('\n').map((sentence) => `-- ${sentence}`);
}

function selectText(select: Select, before: Step | undefined, printer: Printer): string {
  const { define = [], columns, from = before?.name ?? '', final = false, join } = select;
  const { where = [], groupBy = [], having, orderBy = [], limit, unionAll } = select;
  const text = (expression: Expression) => expressionText(expression, printer);
  const columnText = (column: Column) =>
    typeof column === 'string' ? column : `${text(column.expression)} AS ${column.name}`;
  return [
    ...clause('WITH', define.map(columnText), ','),
    ...clause('SELECT', columns.map(columnText), ','),
    text(`FROM ${from}${final ? ' FINAL' : ''}`),
    ...(join === undefined ? [] : [text(join)]),
    ...clause('WHERE', where.map(text), '\nAND'),
    ...list('GROUP BY', groupBy),
    ...(having === undefined ? [] : [`HAVING ${having}`]),
    ...list('ORDER BY', orderBy),
    ...(limit === undefined ? [] : [`LIMIT ${limit}`]),
    ...(unionAll === undefined ? [] : ['UNION ALL', selectText(unionAll, before, printer)]),
  ].join('\n');
}

/** One item per line; empty without items. */
function clause(keyword: string, items: readonly string[], separator: ',' | '\nAND'): string[] {
  if (items.length === 0) return [];
  return [keyword, indented(items.join(separator === ',' ? ',\n' : `${separator} `))];
}

/** On one line if it is short. */
function list(keyword: string, items: readonly string[]): string[] {
  const line = `${keyword} ${items.join(', ')}`;
  return items.length > 0 && line.length <= 90 ? [line] : clause(keyword, items, ',');
}

function expressionText(expression: Expression, printer: Printer): string {
  if (typeof expression === 'string') return printer.printText(expression);
  if (isParam(expression)) return printer.printParam(expression);
  return expression.map((part) => expressionText(part, printer)).join('');
}

/** Indents every line by four spaces. Quoted text contains no line ends: they are escaped as \\n. */
function indented(text: string): string {
  return text
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n');
}

function literal({ type, value }: Param): string {
  const text = typeof value === 'object' ? listText(value) : scalar(value);
  return isTypeOfLiteral(type) ? text : `CAST(${text}, ${quote(type)})`;
}

/**
 * ClickHouse reads quoted text as String and a whole number as the smallest unsigned type, which suits any other. As the
 * arguments of one function, signed and unsigned numbers have no common type.
 */
function isTypeOfLiteral(type: string): boolean {
  return !/^(Array\()?(DateTime|Int)/.test(type);
}

function listText(values: readonly (string | number)[]): string {
  return `[${values.map((item) => scalar(item)).join(', ')}]`;
}

function scalar(value: string | number): string {
  return typeof value === 'number' ? String(value) : quote(value);
}
