import type { Field } from '../../../catalog/field.ts';
import { isObject, type Json } from '../request-body.ts';
import { namedKey } from '../resolve-field.ts';
import { explainedMethod } from './method.ts';
import { type FieldsOf, needsHousehold, type ReportScope } from './report-field.ts';
import { choice, object, trueOrFalse } from './shapes.ts';

export interface NumberFields {
  readonly relativeTo?: RelativeTo;
  /** A numeric custom field: the weight of a household. */
  readonly weight?: Field;
  /** The copy of the replicate weights of `weight` that intervals are computed with. */
  readonly weightReplicates?: string;
}

/** Divides by a numeric custom field, in percent. */
export interface RelativeTo {
  readonly field: Field;
  readonly of: 'result' | 'household';
}

const of = choice('result', 'household');

const fields = {
  field: { schema: { type: 'string', minLength: 1 }, isRequired: true },
  of: {
    ...of,
    about:
      'Divides each result, or the value of each household by the field as of its last result. Without it: `household` if households are requested.',
  },
} as const;

/** The fields that name a custom field with numbers. */
export const numberFields = {
  relativeTo: {
    component: 'RelativeTo',
    ...object(fields, 'Send an object, such as { "field": "custom.advertised" }.', parseRelativeTo),
    about:
      'Divides by a custom field with numbers, such as the advertised speed, in percent. Results without a positive number as of the result are left out and counted.',
    example: { field: 'custom.advertised_download_mbps' },
    inFull: (value) => (typeof value === 'string' ? { field: value } : value),
    flags: {
      'relative-to': {
        value: 'FIELD',
        sets: 'field',
        about: 'in percent of a custom field, such as custom.advertised_download_mbps',
      },
    },
    check: (value, scope) => {
      if (value === undefined) explainMethod('relativeTo', 'divides by', scope);
    },
  },
  weight: {
    schema: { type: 'string', minLength: 1 },
    about:
      'A custom field with numbers: the weight of a household, as of its last result in the bucket. Needs `household`. Results without a positive number are left out and counted.',
    example: 'custom.weight',
    flags: {
      weight: { value: 'FIELD', about: 'the weight of a household, such as custom.weight' },
    },
    parse: parseWeight,
    check: (value, scope) => {
      if (value === undefined) explainMethod('weight', 'weights by', scope);
    },
  },
  weightReplicates: {
    schema: { type: 'boolean' },
    default: false,
    about:
      'With `weight`: computes the intervals of means, percentiles, shares and differences with the replicate weights of `netpanel weights rake --replicates`, so that they include the raking. Not with `strata` and `knownAt`. Callers with a privacy floor get no intervals.',
    example: true,
    flags: { 'weight-replicates': { about: 'intervals with the replicate weights of the field' } },
    parse: parseReplicates,
  },
} satisfies FieldsOf<NumberFields>;

/** Whether a request needs the copies of replicate weights. */
export function usesReplicates({ weightReplicates }: Json): boolean {
  return weightReplicates === true;
}

/** The custom keys that a request uses as numbers, to look up their ranges before it is parsed. */
export function numberKeys({ relativeTo, weight }: Json): readonly string[] {
  const names = [fieldName(relativeTo), fieldName(weight)];
  return names.flatMap((name) => (name === undefined ? [] : (namedKey(name) ?? [])));
}

function parseRelativeTo(relativeTo: Json, path: string, scope: ReportScope): RelativeTo | null {
  const field = numberField(relativeTo.field, `${path}[field]`, scope);
  const usual = scope.hasHouseholds ? 'household' : 'result';
  const divided = of.parse(relativeTo.of ?? usual, `${path}[of]`, scope);
  if (divided === 'household' && !scope.hasHouseholds) {
    return scope.problems.add(`${path}[of]`, needsHousehold);
  }
  return field && divided && { field, of: divided };
}

function parseWeight(weight: unknown, path: string, scope: ReportScope): Field | null {
  const { problems, hasHouseholds } = scope;
  if (!hasHouseholds) {
    return problems.add(path, `A weight belongs to a household. ${needsHousehold}`);
  }
  const field = numberField(weight, path, scope);
  if (field === null) return null;
  const lowest = rangeOf(field, scope)?.lowest ?? 0;
  return lowest < 0
    ? problems.add(path, `${field.name} has negative values, such as ${lowest}.`)
    : field;
}

/** Null of `false` too, which is the same as no field. */
function parseReplicates(value: unknown, path: string, scope: ReportScope): string | null {
  const { problems, request, knownAt, comparedKnownAt, replicateCopies } = scope;
  if (trueOrFalse.parse(value, path, scope) !== true) return null;
  const name = fieldName(request.weight);
  if (name === undefined) return problems.add(path, 'Send weight too, such as "custom.weight".');
  if (request.strata !== undefined)
    return problems.add(path, 'Not with strata. Leave out one of the two.');
  if ((knownAt ?? comparedKnownAt) !== undefined) {
    return problems.add(
      path,
      'Not with knownAt, because replicate weights have no history. Leave out one of the two.',
    );
  }
  const copy = replicateCopies.get(namedKey(name) ?? '');
  return (
    copy ??
    problems.add(
      path,
      `${name} has no replicate weights. Store them with netpanel weights rake --replicates 50.`,
    )
  );
}

function numberField(name: unknown, path: string, scope: ReportScope): Field | null {
  const { problems } = scope;
  const field = scope.resolve(name, path);
  if (field === null) return null;
  if (field.source.kind !== 'custom') {
    return problems.add(path, `${field.name} is not a custom field. ${example}`);
  }
  if (rangeOf(field, scope) !== undefined) return field;
  const when = scope.knownAt ? ' in the metadata of knownAt' : '';
  return problems.add(path, `No value of ${field.name} is a number${when}. ${example}`);
}

const example = 'Send a custom field with numbers, such as "custom.advertised_download_mbps".';

function rangeOf({ source }: Field, { numberRanges }: ReportScope) {
  return source.kind === 'custom' ? numberRanges.get(source.key) : undefined;
}

/** The caller did not send the field that was refused: its method did. */
function explainMethod(
  name: 'relativeTo' | 'weight',
  use: string,
  { request, problems }: ReportScope,
): void {
  const method = explainedMethod(request);
  const field = fieldName(method?.fields[name]);
  if (method === undefined || field === undefined || field !== fieldName(request[name])) return;
  problems.add(
    'method',
    `${method.key} ${use} ${field}. Load it for your agents, or send ${name}: another field, or null for none.`,
  );
}

/** Of `relativeTo`, an object, or `weight`. */
function fieldName(value: unknown): string | undefined {
  const name = isObject(value) ? value.field : value;
  return typeof name === 'string' ? name : undefined;
}
