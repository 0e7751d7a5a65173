import { readFileSync } from 'node:fs';
import { isTestKey, type TestKey, testKeys } from '../../catalog/test-tables.ts';
import { SettingsError } from '../../shared/config/read-settings.ts';

/** How the tables of one LMAP function become results of a test. */
export interface LmapFunction {
  readonly uri: string;
  readonly test: TestKey;
  /** By column of the test; undefined: the table has the columns of the test. */
  readonly columns?: Readonly<Record<string, LmapColumn>>;
}

/** A column of a table, and the factor of its numbers: 1000 for milliseconds that are stored as microseconds. */
interface LmapColumn {
  readonly column: string;
  readonly times?: number;
}

/** By the URI of the function. */
export type LmapRegistry = ReadonlyMap<string, LmapFunction>;

/**
 * Reads the registry file; without one, every test has a function with its own columns. Throws a SettingsError that names the
 * file and the entry.
 */
export function readLmapRegistry(file: string): LmapRegistry {
  if (file === '') {
    const functions = testKeys.map((test) => ({ uri: `urn:netpanel:test:${test}`, test }));
    return new Map(functions.map((one) => [one.uri, one]));
  }
  const problem = (text: string) => new SettingsError([`INGEST_LMAP_REGISTRY: ${file}: ${text}`]);
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw problem((error as Error).message);
  }
  const { functions } = (content ?? {}) as { functions?: unknown };
  if (!Array.isArray(functions)) throw problem('must be {"functions": [...]}');
  const registry = new Map<string, LmapFunction>();
  for (const [place, entry] of (functions as unknown[]).entries()) {
    const checked = parseFunction(entry);
    if (typeof checked === 'string') throw problem(`functions[${place}] ${checked}`);
    if (registry.has(checked.uri)) throw problem(`functions[${place}] repeats ${checked.uri}`);
    registry.set(checked.uri, checked);
  }
  return registry;
}

/** Returns the problem of an invalid entry. */
function parseFunction(entry: unknown): LmapFunction | string {
  const { uri, test, columns } = (entry ?? {}) as Record<string, unknown>;
  if (typeof uri !== 'string' || uri === '') return 'must have a uri';
  if (typeof test !== 'string' || !isTestKey(test)) {
    return `must have a test of ${testKeys.join(', ')}`;
  }
  if (columns === undefined) return { uri, test };
  if (typeof columns !== 'object' || columns === null) return 'must have an object "columns"';
  const parsed = Object.entries(columns).map(
    ([name, value]) => [name, parseColumn(value)] as const,
  );
  const invalid = parsed.find(([, column]) => column === undefined);
  if (invalid !== undefined) {
    return `must have "${invalid[0]}" as "name" or {"column": "name", "times": 1000}`;
  }
  return { uri, test, columns: Object.fromEntries(parsed) as Record<string, LmapColumn> };
}

function parseColumn(value: unknown): LmapColumn | undefined {
  if (typeof value === 'string') return { column: value };
  const { column, times } = (value ?? {}) as Record<string, unknown>;
  if (typeof column !== 'string') return undefined;
  if (times === undefined) return { column };
  return typeof times === 'number' && Number.isFinite(times) ? { column, times } : undefined;
}
