import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseDocument } from 'yaml';
import { isObject } from '../../results/json/json-lines.ts';
import { nearest } from '../../shared/nearest.ts';
import { repositoryRoot } from '../../shared/repository-root.ts';
import type { Mapping } from './compile-mapping.ts';
import { type InputFormat, inputFormats } from '../input/input-format.ts';
import { MappingError } from '../mapping-error.ts';
import type { LookupTables } from './parse-expression.ts';

/** How the rows of a release become results of a test. */
export interface MappingFile extends Mapping {
  readonly test?: string;
  readonly description?: string;
  /** Where the release and its columns are documented. */
  readonly source?: string;
  /** Detected when absent. */
  readonly format?: InputFormat;
  /** First and last day that the release describes: `2015-11-01/2015-11-30`. */
  readonly period?: string;
  /** What the same rows say about agents. */
  readonly agents?: unknown;
}

/** Reads a file of --mapping. */
export function readMappingFile(path: string): MappingFile {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new MappingError(`the mapping file ${path} cannot be read`, { cause: error });
  }
  return parseMappingFile(text, path);
}

/** Reads a mapping file that is part of netpanel. */
export function readPreset(name: string): MappingFile {
  const names = presetNames();
  const current = name === 'ofcom' ? 'ofcom-2014' : name;
  if (names.includes(current)) return readMappingFile(presetPath(current));
  const meant = nearest(name, names);
  throw new MappingError(
    `unknown preset "${name}". ` +
      (meant === undefined ? `Presets: ${names.join(', ')}.` : `Did you mean ${meant}?`),
  );
}

export function presetNames(): readonly string[] {
  return readdirSync(presetFolder)
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.replace(/\.json$/, ''))
    .sort();
}

/** Writes a mapping file that does not exist yet. */
export function writeMappingFile(path: string, mapping: MappingFile): void {
  if (existsSync(path))
    throw new MappingError(`${path} exists already: --save-mapping writes a new file`);
  writeFileSync(path, `${JSON.stringify(mapping, undefined, 2)}\n`, { flag: 'wx' });
}

/** Checks the shape of a mapping file. `name` is for messages. */
export function parseMappingFile(text: string, name: string): MappingFile {
  const fail = (problem: string) => new MappingError(`${name}: ${problem}`);
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (error) {
    throw fail(`not JSON: ${(error as Error).message}`);
  }
  if (!isObject(content)) throw fail('must be a JSON object');
  const duplicate = duplicateKey(text);
  if (duplicate !== undefined) throw fail(duplicate);
  const unknown = Object.keys(content).find((key) => !keys.includes(key));
  if (unknown !== undefined) {
    throw fail(`unknown field ${JSON.stringify(unknown)}. Allowed: ${keys.join(', ')}.`);
  }
  for (const key of ['test', 'description', 'source', 'format', 'period']) {
    if (key in content && typeof content[key] !== 'string') throw fail(`${key} must be text`);
  }
  const { columns, values = {}, format, blank = [] } = content;
  if (!isTexts(columns) || Object.keys(columns).length === 0) {
    throw fail('columns must be an object such as {"bytes_sec": "download_mbps*125000"}');
  }
  if (!isTables(values)) {
    throw fail('values must be an object of tables such as {"zones": {"NSW": "Australia/Sydney"}}');
  }
  if (!(Array.isArray(blank) && blank.every((text) => typeof text === 'string'))) {
    throw fail('blank must be a list of texts such as ["#NULL!"]');
  }
  if (format !== undefined && !inputFormats.includes(format as InputFormat)) {
    throw fail(`format must be one of ${inputFormats.join(', ')}, not ${JSON.stringify(format)}`);
  }
  return content as unknown as MappingFile;
}

const keys = [
  ...['test', 'description', 'source', 'format', 'period', 'blank'],
  ...['columns', 'values', 'agents'],
];

// JSON.parse keeps the last of two equal keys silently. JSON is YAML, whose parser finds them.
function duplicateKey(text: string): string | undefined {
  const error = parseDocument(text).errors.find(({ code }) => code === 'DUPLICATE_KEY');
  return error && `duplicate field in line ${error.linePos?.[0].line ?? 0}`;
}

const presetFolder = join(repositoryRoot, 'services/load/presets');

function presetPath(name: string): string {
  return join(presetFolder, `${name}.json`);
}

/** An object whose values are texts. */
export function isTexts(value: unknown): value is Readonly<Record<string, string>> {
  return isObject(value) && Object.values(value).every((item) => typeof item === 'string');
}

function isTables(value: unknown): value is LookupTables {
  return isObject(value) && Object.values(value).every(isTexts);
}
