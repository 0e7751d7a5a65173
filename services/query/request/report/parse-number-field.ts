import type { Field } from '../../../catalog/field.ts';
import type { Problems } from '../../../shared/errors/problems.ts';
import { isObject, warnOfUnknownFields } from '../request-body.ts';
import { namedKey } from '../resolve-field.ts';
import type { RelativeTo } from './report.ts';

/** The numbers among the values of a custom key; a key without any is not in the map. */
export type NumberRanges = ReadonlyMap<string, { readonly lowest: number }>;

/** The custom keys that a request uses as numbers, to look up their ranges before it is parsed. */
export function numberKeys(body: unknown): readonly string[] {
  if (!isObject(body)) return [];
  const { relativeTo, weight } = body;
  const names = [isObject(relativeTo) ? relativeTo.field : relativeTo, weight];
  return names.flatMap((name) => (typeof name === 'string' ? (namedKey(name) ?? []) : []));
}

type ResolveField = (name: unknown, path: string) => Field | null;

interface NumberFields {
  readonly resolve: ResolveField;
  readonly ranges: NumberRanges;
  /** Whether the ranges are of earlier metadata. */
  readonly hasKnownAt: boolean;
}

/** `"custom.advertised_download_mbps"`, or an object that also says what is divided. */
export function parseRelativeTo(
  relativeTo: unknown,
  hasHouseholds: boolean,
  fields: NumberFields,
  problems: Problems,
): RelativeTo | null {
  if (relativeTo === undefined || relativeTo === null) return null;
  const usual = hasHouseholds ? 'household' : 'result';
  if (!isObject(relativeTo)) {
    const field = numberField(relativeTo, 'relativeTo', fields, problems);
    return field && { field, of: usual };
  }
  warnOfUnknownFields(relativeTo, ['field', 'of'], 'relativeTo', problems.warnings);
  const field = numberField(relativeTo.field, 'relativeTo[field]', fields, problems);
  const of = relativeTo.of ?? usual;
  if (of !== 'result' && of !== 'household') {
    return problems.add('relativeTo[of]', 'Send "result" or "household".');
  }
  if (of === 'household' && !hasHouseholds) {
    return problems.add('relativeTo[of]', 'Send household too, such as { "statistic": "mean" }.');
  }
  return field && { field, of };
}

export function parseWeight(
  weight: unknown,
  hasHouseholds: boolean,
  fields: NumberFields,
  problems: Problems,
): Field | null {
  if (weight === undefined || weight === null) return null;
  if (!hasHouseholds) {
    return problems.add(
      'weight',
      'A weight belongs to a household. Send household too, such as { "statistic": "mean" }.',
    );
  }
  const field = numberField(weight, 'weight', fields, problems);
  if (field === null) return null;
  const lowest = rangeOf(field, fields)?.lowest ?? 0;
  return lowest < 0
    ? problems.add('weight', `${field.name} has negative values, such as ${lowest}.`)
    : field;
}

function numberField(
  name: unknown,
  path: string,
  fields: NumberFields,
  problems: Problems,
): Field | null {
  const field = fields.resolve(name, path);
  if (field === null) return null;
  if (field.source.kind !== 'custom') {
    return problems.add(path, `${field.name} is not a custom field. ${example}`);
  }
  if (rangeOf(field, fields) !== undefined) return field;
  const when = fields.hasKnownAt ? ' in the metadata of knownAt' : '';
  return problems.add(path, `No value of ${field.name} is a number${when}. ${example}`);
}

const example = 'Send a custom field with numbers, such as "custom.advertised_download_mbps".';

function rangeOf({ source }: Field, { ranges }: NumberFields) {
  return source.kind === 'custom' ? ranges.get(source.key) : undefined;
}
