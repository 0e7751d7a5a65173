import type { Field } from '../../catalog/field.ts';
import { validationError } from '../../shared/errors/app-error.ts';
import { Problems } from '../../shared/errors/problems.ts';
import { shortened } from '../../shared/errors/shortened.ts';
import type { KnownValues } from '../listing/known-values.ts';
import { isOfAgents } from '../listing/value-source.ts';
import { isObject } from '../request/request-body.ts';
import { suggestion } from '../request/suggestion.ts';
import { parseRegionMap, type RegionMap } from './parse-region-map.ts';

/** A map to store. */
export interface NewMap extends RegionMap {
  readonly field: Field;
  readonly property: string;
}

const expected = ['field', 'property', 'map'];

/** Parses the body of PUT /region-map. `fields`: those of GET /splits. Throws a VALIDATION_FAIL. */
export function parseNewMap(body: unknown, fields: readonly Field[]): NewMap {
  const problems = new Problems();
  const given = isObject(body) ? body : {};
  for (const name of Object.keys(given)) {
    if (!expected.includes(name)) problems.add(name, 'This field was not expected.');
  }
  const field = parseField(given.field, fields, problems);
  const property = parseProperty(given.property, problems);
  const map = parseMap(given.map, property, problems);
  problems.throwIfAny();
  if (field === null || map === null) throw validationError({});
  return { field, property, ...map };
}

function parseField(name: unknown, fields: readonly Field[], problems: Problems): Field | null {
  const field = fields.find((one) => one.name === name);
  // One region per household would put single households on the map.
  if (field?.identifiesHousehold === true) {
    return problems.add(
      'field',
      `${field.name} identifies one household. Send a field of regions.`,
    );
  }
  if (field !== undefined) return field;
  const names = fields.filter((one) => one.identifiesHousehold !== true).map((one) => one.name);
  return problems.add(
    'field',
    typeof name === 'string'
      ? `Unknown field ${JSON.stringify(shortened(name))}. ${suggestion(name, names)}`
      : 'Send the field of GET /splits whose values are the names of the regions, such as "region".',
  );
}

function parseProperty(value: unknown, problems: Problems): string {
  if (value === undefined || value === null) return 'name';
  if (typeof value === 'string' && value !== '' && value.length <= 200) return value;
  problems.add('property', 'Send the property of the features that has the name of the region.');
  return 'name';
}

function parseMap(map: unknown, property: string, problems: Problems): RegionMap | null {
  try {
    return parseRegionMap(map, property, 'send as "property"');
  } catch (error) {
    return problems.add('map', `The map ${(error as Error).message}.`);
  }
}

const maxListed = 20;

/**
 * The regions whose names are no value of the field, at most 20. Throws a VALIDATION_FAIL if the field has values and none
 * is on the map: then the field or the property is the wrong one.
 */
export async function requireKnownRegions(
  knownValues: KnownValues,
  context: Parameters<KnownValues>[0],
): Promise<readonly string[]> {
  const { field, values } = context;
  // Other fields are columns of results, whose values are not listed.
  if (!isOfAgents(field)) return [];
  const { known, candidates } = await knownValues(context);
  const unknown = values.filter((name) => !known.has(name));
  if (unknown.length === values.length && candidates.length > 0) {
    const shown = (names: readonly string[]) =>
      names
        .slice(0, 5)
        .map((name) => JSON.stringify(shortened(name)))
        .join(', ');
    throw validationError({
      property: [
        `No name of a region is a value of ${field.name}. The map has ${shown(values)}; ${field.name} has ${shown(candidates)}. Send another property or another field.`,
      ],
    });
  }
  return unknown.slice(0, maxListed);
}
