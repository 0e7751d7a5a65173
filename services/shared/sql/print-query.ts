import { isParam, type Expression, type Param, type ParamValue } from './expression.ts';
import { quote } from './quote.ts';
import type { Column, Query, Select } from './select.ts';

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
  const text = queryText(query, (param) => {
    const name = nameOf(param);
    params[name] = { type: param.type, value: param.value };
    return `{${name}:${param.type}}`;
  });
  return { sql: text, params };
}

/** The values in the form of the ClickHouse client's `query_params`. */
export function paramValues(params: QueryParams): Record<string, ParamValue> {
  return Object.fromEntries(Object.entries(params).map(([name, { value }]) => [name, value]));
}

/** The text with inlined values, to paste into a ClickHouse client. */
export function printInlined(query: Query): string {
  return queryText(query, literal);
}

type PrintParam = (param: Param) => string;

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

function queryText({ steps, select, settings = [] }: Query, printParam: PrintParam): string {
  const ctes = steps.map(
    ({ name, select }) => `${name} AS (\n${indented(selectText(select, printParam))}\n)`,
  );
  return [
    ...clause('WITH', ctes, ','),
    selectText(select, printParam),
    ...clause('SETTINGS', settings, ','),
  ].join('\n');
}

function selectText(select: Select, printParam: PrintParam): string {
  const { define = [], columns, from, final = false, join } = select;
  const { where = [], groupBy = [], having, orderBy = [], limit } = select;
  const text = (expression: Expression) => expressionText(expression, printParam);
  const columnText = (column: Column) =>
    typeof column === 'string' ? column : `${text(column.expression)} AS ${column.name}`;
  return [
    ...clause('WITH', define.map(columnText), ','),
    ...clause('SELECT', columns.map(columnText), ','),
    `FROM ${from}${final ? ' FINAL' : ''}`,
    ...(join === undefined ? [] : [text(join)]),
    ...clause('WHERE', where.map(text), '\nAND'),
    ...list('GROUP BY', groupBy),
    ...(having === undefined ? [] : [`HAVING ${having}`]),
    ...list('ORDER BY', orderBy),
    ...(limit === undefined ? [] : [`LIMIT ${limit}`]),
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

function expressionText(expression: Expression, printParam: PrintParam): string {
  if (typeof expression === 'string') return expression;
  if (isParam(expression)) return printParam(expression);
  return expression.map((part) => expressionText(part, printParam)).join('');
}

/** Indents every line by four spaces. Quoted text contains no line ends: they are escaped as \\n. */
function indented(text: string): string {
  return text
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n');
}

function literal({ type, value }: Param): string {
  const text =
    typeof value === 'object' ? `[${value.map((item) => scalar(item)).join(', ')}]` : scalar(value);
  return isTypeOfLiteral(type) ? text : `CAST(${text}, ${quote(type)})`;
}

/**
 * ClickHouse reads quoted text as String and a whole number as the smallest unsigned type, which suits any other. As the
 * arguments of one function, signed and unsigned numbers have no common type.
 */
function isTypeOfLiteral(type: string): boolean {
  return !/^(Array\()?(DateTime|Int)/.test(type);
}

function scalar(value: string | number): string {
  return typeof value === 'number' ? String(value) : quote(value);
}
