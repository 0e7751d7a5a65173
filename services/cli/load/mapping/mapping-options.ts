import { existsSync } from 'node:fs';
import { UsageError } from '../../command.ts';
import type { MappingRequest } from './complete-mapping.ts';
import type { Mapping } from './compile-mapping.ts';
import { MappingError } from './expression.ts';
import {
  type InputFormat,
  inputFormats,
  presetNames,
  readMappingFile,
  readPreset,
  writeMappingFile,
} from './mapping-file.ts';

/** Options of netpanel load for files with other columns, for parseOptions. */
export const mappingOptions = {
  map: { type: 'string', multiple: true },
  mapping: { type: 'string' },
  preset: { type: 'string' },
  'save-mapping': { type: 'string' },
  format: { type: 'string' },
} as const;

export const mappingOptionsUsage = `  --format NAME        ${inputFormats.join(', ')}; default: by the file's name and first bytes
  --map TARGET=EXPR    value of a column, such as bytes_sec=download_mbps*125000; repeat it for others
  --mapping FILE       mapping file: the columns of a release, as --save-mapping writes it
  --preset NAME        mapping file of netpanel: ${presetNames().join(', ')}
  --save-mapping FILE  write the mapping in use to a new file`;

interface OptionValues {
  readonly map?: readonly string[] | undefined;
  readonly mapping?: string | undefined;
  readonly preset?: string | undefined;
  readonly 'save-mapping'?: string | undefined;
  readonly format?: string | undefined;
}

export interface MappingSettings extends MappingRequest {
  /** undefined: detected. */
  readonly format: InputFormat | undefined;
  readonly saveTo: string | undefined;
}

/** Reads the mapping file. Throws a UsageError for an invalid value. */
export function mappingSettings(values: OptionValues): MappingSettings {
  const { preset, mapping, 'save-mapping': saveTo } = values;
  if (preset !== undefined && mapping !== undefined) {
    throw new UsageError('--preset and --mapping exclude each other');
  }
  const columns = parseMaps(values.map ?? []);
  const file = asUsageError(() => {
    if (preset !== undefined) return readPreset(preset);
    return mapping === undefined ? undefined : readMappingFile(mapping);
  });
  if (saveTo !== undefined) {
    if (file === undefined && Object.keys(columns).length === 0) {
      throw new UsageError('--save-mapping needs --map, --mapping or --preset');
    }
    if (existsSync(saveTo)) throw new UsageError(`--save-mapping: ${saveTo} exists already`);
  }
  return { file, columns, format: formatOf(values.format) ?? file?.format, saveTo };
}

/** Writes the mapping of the first file that is loaded. */
export function saveMapping(
  { saveTo, file }: MappingSettings,
  test: string,
  { columns, values = {} }: Mapping,
): void {
  if (saveTo === undefined || existsSync(saveTo)) return;
  const tables = Object.keys(values).length === 0 ? {} : { values };
  writeMappingFile(saveTo, { ...file, test, columns, ...tables });
}

function parseMaps(texts: readonly string[]): Readonly<Record<string, string>> {
  const columns = new Map<string, string>();
  for (const text of texts) {
    const [, target, expression = ''] = /^\s*(\w+)\s*=(.*)$/s.exec(text) ?? [];
    if (target === undefined || expression.trim() === '') {
      throw new UsageError(
        `--map must be TARGET=EXPRESSION such as bytes_sec=download_mbps*125000, not "${text}"`,
      );
    }
    const name = target.toLowerCase();
    if (columns.has(name)) throw new UsageError(`--map ${name}=… is given twice`);
    columns.set(name, expression.trim());
  }
  return Object.fromEntries(columns);
}

function formatOf(name: string | undefined): InputFormat | undefined {
  const format = inputFormats.find((known) => known === name?.toLowerCase());
  if (name !== undefined && format === undefined) {
    throw new UsageError(`Unknown format "${name}". Allowed: ${inputFormats.join(', ')}.`);
  }
  return format;
}

function asUsageError<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof MappingError) throw new UsageError(error.message, { cause: error });
    throw error;
  }
}
