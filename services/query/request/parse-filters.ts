import type { Problems } from '../../shared/errors/problems.ts';
import { shortened } from '../../shared/errors/shortened.ts';
import type { Field } from '../../catalog/field.ts';
import { setField } from '../../catalog/fields.ts';
import type { MetricFilter } from './metric-query.ts';
import type { ParseContext } from './parse-context.ts';
import { suggestion } from './suggestion.ts';
import { isObject, warnOfUnknownFields, type Json } from './request-body.ts';

/** More than there are fields. With a thousand conditions, ClickHouse needs minutes to plan a query. */
const maxFilters = 50;

type ResolveField = (name: unknown, path: string) => Field | null;

export function parseFilters(
  filters: unknown,
  resolve: ResolveField,
  { agentSets, limits: { maxFilterValues } }: Pick<ParseContext, 'agentSets' | 'limits'>,
  problems: Problems,
): readonly MetricFilter[] {
  if (filters === undefined || filters === null) return [];
  if (!Array.isArray(filters)) {
    problems.add('filters', `Send a list of filters, such as [${example}].`);
    return [];
  }
  if (filters.length > maxFilters) {
    problems.add('filters', `${filters.length} filters; send at most ${maxFilters}.`);
    return [];
  }
  const values = filters.reduce<number>((sum, filter: unknown) => sum + valueCount(filter), 0);
  if (values > maxFilterValues) {
    problems.add('filters', `${values} values in total; send at most ${maxFilterValues}.`);
    return [];
  }
  return filters
    .map((filter: unknown, i) => parseFilter(filter, `filters[${i}]`, resolve, agentSets, problems))
    .filter((filter) => filter !== null);
}

function valueCount(filter: unknown): number {
  return isObject(filter) && Array.isArray(filter.filterValues) ? filter.filterValues.length : 0;
}

const example = '{ "id": "isp", "filterType": "include", "filterValues": ["Example Fibre"] }';

function parseFilter(
  filter: unknown,
  path: string,
  resolve: ResolveField,
  agentSets: readonly string[],
  problems: Problems,
): MetricFilter | null {
  if (!isObject(filter)) return problems.add(path, `Send an object, such as ${example}.`);
  warnOfUnknownFields(filter, ['id', 'filterType', 'filterValues'], path, problems.warnings);
  const field = isSetFilter(filter) ? setField : resolve(filter.id, `${path}[id]`);
  const mode = filterMode(filter.filterType, `${path}[filterType]`, problems);
  const values = filterValues(filter, field, `${path}[filterValues]`, problems);
  if (field === null || mode === null || values === null) return null;
  if (field !== setField) warnOfComparisons(values, `${path}[filterValues]`, problems);
  if (field === setField) reportUnknownSets(values, agentSets, `${path}[filterValues]`, problems);
  return { field, mode, values };
}

/** A value such as ">=30" is taken for a text, which no result has. */
function warnOfComparisons(values: readonly string[], path: string, problems: Problems): void {
  for (const [i, value] of values.entries()) {
    if (!/^\s*([<>]=?|!=|==?|~)\s*\S/.test(value)) continue;
    const message = `A filter compares whole values: ${JSON.stringify(shortened(value))} matches only this text. Send the values themselves.`;
    problems.warnings.add('LITERAL_VALUE', `${path}[${i}]`, message);
  }
}

/** Whether a request filters by sets of agents, so that their names are needed to parse it. */
export function usesAgentSets(body: unknown): boolean {
  const filters: unknown = isObject(body) ? body.filters : undefined;
  return (
    Array.isArray(filters) && filters.some((filter) => isObject(filter) && isSetFilter(filter))
  );
}

function isSetFilter({ id }: Json): boolean {
  return id === setField.name;
}

/** Not a warning, as for other values: excluding a set that does not exist would exclude nothing. */
function reportUnknownSets(
  names: readonly string[],
  agentSets: readonly string[],
  path: string,
  problems: Problems,
): void {
  const known = new Set(agentSets);
  for (const [i, name] of names.entries()) {
    if (known.has(name)) continue;
    const shown = JSON.stringify(shortened(name));
    const others = suggestion(
      name,
      agentSets,
      'The organisation has none: netpanel sets add saves one.',
    );
    problems.add(`${path}[${i}]`, `Unknown set ${shown}. ${others}`);
  }
}

function filterMode(type: unknown, path: string, problems: Problems): MetricFilter['mode'] | null {
  if ([1, '1', 'include', 'inclusive'].includes(type as string)) return 'include';
  if ([0, '0', 'exclude', 'exclusive'].includes(type as string)) return 'exclude';
  return problems.add(path, 'Send "include" or "exclude".');
}

function filterValues(
  filter: Json,
  field: Field | null,
  path: string,
  problems: Problems,
): readonly string[] | null {
  const values = filter.filterValues;
  if (!Array.isArray(values) || values.length === 0) {
    return problems.add(path, 'Send a list of at least one string, such as ["Example Fibre"].');
  }
  const checked = values.map((value: unknown, i) => {
    // The databases refuse NUL and lone surrogates, so no stored value contains them.
    if (typeof value !== 'string' || /\0|\p{Surrogate}/u.test(value)) {
      return problems.add(`${path}[${i}]`, 'Send a string, such as "4".');
    }
    if (value.length > maxValueLength) return problems.add(`${path}[${i}]`, tooLong);
    return isNumeric(field) && !isWholeNumber(value)
      ? problems.add(`${path}[${i}]`, `${field?.name ?? ''} is a whole number; send it as "4".`)
      : value;
  });
  const valid = checked.filter((value) => value !== null);
  return valid.length === checked.length ? valid : null;
}

// Longer than any stored value. ClickHouse limits the size of a parameter.
const maxValueLength = 8_192;
const tooLong = `The value is too long; send at most ${maxValueLength} characters.`;

function isNumeric(field: Field | null): boolean {
  return field?.source.kind === 'column' && field.source.type !== 'text';
}

function isWholeNumber(value: string): boolean {
  return /^\d{1,16}$/.test(value) && Number.isSafeInteger(Number(value));
}
