import { HeaderError } from '../columns/file-plan.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

/** Parses a line of NDJSON. Returns the reason if it is not an object. */
export function parseJsonLine(text: string): JsonObject | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
    // JSON.parse rounds numbers of more than 15 digits: they are read again as text.
    if (longNumber.test(text)) value = JSON.parse(text.replace(stringOrNumber, quoteNumber));
  } catch (error) {
    return `not JSON: ${(error as Error).message.slice(0, shownCharacters)}`;
  }
  return isObject(value) ? value : 'must be a JSON object such as {"unit_id": 1}';
}

const longNumber = /\d[\d.]{15}/;
const stringOrNumber = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
const shownCharacters = 200;

function quoteNumber(token: string): string {
  return token.startsWith('"') ? token : `"${token}"`;
}

/** Adds the paths of all values that are not objects: `client.Geo.City` → client, Geo, City. */
export function jsonPaths(
  object: JsonObject,
  paths: Map<string, readonly string[]>,
  maxPaths: number,
  parent: readonly string[] = [],
): void {
  for (const [key, value] of Object.entries(object)) {
    const path = [...parent, key];
    if (isObject(value) && path.length < maxDepth) {
      jsonPaths(value, paths, maxPaths, path);
      continue;
    }
    const name = path.join('.');
    if (!paths.has(name)) paths.set(name, path);
    if (paths.size > maxPaths) throw new HeaderError(`the rows have more than ${maxPaths} keys`);
  }
}

const maxDepth = 20;

/** The text of the value at a path; '' if it is missing or null. A list is its JSON text. */
export function jsonCell(object: JsonObject, path: readonly string[]): string {
  let value: unknown = object;
  for (const key of path) {
    if (!isObject(value) || !Object.hasOwn(value, key)) return '';
    value = value[key];
  }
  if (typeof value === 'string') return value;
  return value === null || value === undefined ? '' : JSON.stringify(value);
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
