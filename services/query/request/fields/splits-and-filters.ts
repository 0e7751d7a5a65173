import type { Field } from '../../../catalog/field.ts';
import { setField } from '../../../catalog/fields.ts';
import { shortened } from '../../../shared/errors/shortened.ts';
import type { MetricFilter } from '../selection.ts';
import type { MetricScope, Parsing } from '../parse-context.ts';
import { isObject, type Json, warnOfUnknownFields } from '../request-body.ts';
import { suggestion } from '../suggestion.ts';
import { readFilters } from './filter-options.ts';
import type { RequestFields } from './request-field.ts';

/** More than there are fields. With a thousand conditions, ClickHouse needs minutes to plan a query. */
const maxFilters = 50;
/** Longer than any stored value. ClickHouse limits the size of a parameter. */
const maxValueLength = 8_192;

const filterFields = {
  id: {
    schema: { type: 'string', minLength: 1 },
    isRequired: true,
    about:
      'A field of `GET /filters`. A custom field can always be named `custom.<key>`. `set` selects the agents of named sets; an unknown name is refused.',
  },
  filterType: {
    schema: { type: 'string', enum: ['include', 'exclude'] },
    isRequired: true,
    about: '`include` keeps only the listed values, `exclude` drops them.',
  },
  filterValues: {
    schema: { type: 'array', minItems: 1 },
    items: { schema: { type: 'string', maxLength: maxValueLength } },
    isRequired: true,
    about: `A result must match any of them. Strings, even if the values are numbers.

A value that no agent of the organisation has ever had gives the warning \`UNKNOWN_VALUE\`, with a similar value if there is one. The first 1,000 values of a request are checked, of the fields \`isp\`, \`package\`, \`country\`, \`agent\`, \`unit\` and custom fields. The check runs beside the query. If it takes longer than 2 seconds, the response has no such warnings.`,
  },
} satisfies RequestFields;

export const selectionFields = {
  splits: {
    schema: { type: 'array' },
    items: { schema: { type: 'string', minLength: 1 } },
    about: 'Fields of `GET /splits`. Each adds a column with its name to the points.',
    flags: {
      split: {
        value: 'FIELD',
        short: 's',
        isRepeated: true,
        about: 'one series per value, such as isp; repeat it, or separate fields by commas',
        read: (texts) => texts.flatMap((text) => text.split(',')).map((text) => text.trim()),
      },
    },
  },
  filters: {
    schema: { type: 'array', maxItems: maxFilters },
    items: {
      component: 'Filter',
      schema: { type: 'object' },
      fields: filterFields,
    },
    about: 'A result must match all filters.',
    flags: {
      filter: {
        value: 'FIELD=VALUE',
        short: 'f',
        isRepeated: true,
        about:
          'only this value; FIELD!=VALUE drops it. Repeat it: values of one field are alternatives, and a result must match every field',
        read: readFilters,
      },
    },
  },
} satisfies RequestFields;

export function parseSplits(scope: MetricScope): readonly Field[] {
  const { splits = [] } = scope.request;
  const {
    resolve,
    problems,
    limits: { maxSplits },
  } = scope;
  if (!Array.isArray(splits)) {
    problems.add('splits', 'Send a list of names, such as ["isp"].');
    return [];
  }
  if (splits.length > maxSplits) {
    problems.add('splits', `${splits.length} splits; send at most ${maxSplits}.`);
    return [];
  }
  const seen = new Set<string>();
  return splits.flatMap((name: unknown, i) => {
    const field = resolve(name, `splits[${i}]`);
    if (field === null) return [];
    // `tier` and `custom.tier` are one field.
    const source = JSON.stringify(field.source);
    if (seen.has(source)) problems.add(`splits[${i}]`, 'Duplicate split. Send each split once.');
    seen.add(source);
    return [field];
  });
}

export function parseFilters(scope: MetricScope): readonly MetricFilter[] {
  const { filters = [] } = scope.request;
  const {
    problems,
    limits: { maxFilterValues },
  } = scope;
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
    .map((filter: unknown, i) => parseFilter(filter, `filters[${i}]`, scope))
    .filter((filter) => filter !== null);
}

function valueCount(filter: unknown): number {
  return isObject(filter) && Array.isArray(filter.filterValues) ? filter.filterValues.length : 0;
}

const example = '{ "id": "isp", "filterType": "include", "filterValues": ["Example Fibre"] }';

function parseFilter(filter: unknown, path: string, scope: MetricScope): MetricFilter | null {
  const { problems } = scope;
  if (!isObject(filter)) return problems.add(path, `Send an object, such as ${example}.`);
  warnOfUnknownFields(filter, Object.keys(filterFields), path, problems.warnings);
  const field = isSetFilter(filter) ? setField : scope.resolve(filter.id, `${path}[id]`);
  const mode = filterMode(filter.filterType, `${path}[filterType]`, scope);
  const values = filterValues(filter, field, `${path}[filterValues]`, scope);
  if (field === null || mode === null || values === null) return null;
  const check = field === setField ? reportUnknownSets : warnOfComparisons;
  check(values, `${path}[filterValues]`, scope);
  return { field, mode, values };
}

/** A value such as ">=30" is taken for a text, which no result has. */
function warnOfComparisons(values: readonly string[], path: string, { problems }: Parsing): void {
  for (const [i, value] of values.entries()) {
    if (!/^\s*([<>]=?|!=|==?|~)\s*\S/.test(value)) continue;
    const message = `A filter compares whole values: ${JSON.stringify(shortened(value))} matches only this text. Send the values themselves.`;
    problems.warnings.add('LITERAL_VALUE', `${path}[${i}]`, message);
  }
}

/** Whether a request filters by sets of agents, so that their names are needed to parse it. */
export function usesAgentSets(body: unknown): boolean {
  return isObject(body) && [body, body.compare].some(hasSetFilter);
}

function hasSetFilter(part: unknown): boolean {
  const filters: unknown = isObject(part) ? part.filters : undefined;
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
  path: string,
  { agentSets, problems }: Parsing,
): void {
  const known = new Set(agentSets);
  for (const [i, name] of names.entries()) {
    if (known.has(name)) continue;
    const others = suggestion(name, agentSets, noSets);
    const shown = JSON.stringify(shortened(name));
    problems.add(`${path}[${i}]`, `Unknown set ${shown}. ${others}`);
  }
}

const noSets = 'The organisation has none: netpanel sets add saves one.';

function filterMode(
  type: unknown,
  path: string,
  { problems }: Parsing,
): MetricFilter['mode'] | null {
  if ([1, '1', 'include', 'inclusive'].includes(type as string)) return 'include';
  if ([0, '0', 'exclude', 'exclusive'].includes(type as string)) return 'exclude';
  return problems.add(path, 'Send "include" or "exclude".');
}

function filterValues(
  filter: Json,
  field: Field | null,
  path: string,
  { problems }: Parsing,
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

const tooLong = `The value is too long; send at most ${maxValueLength} characters.`;

function isNumeric(field: Field | null): boolean {
  return field?.source.kind === 'column' && field.source.type !== 'text';
}

function isWholeNumber(value: string): boolean {
  return /^\d{1,16}$/.test(value) && Number.isSafeInteger(Number(value));
}
