import { existsSync } from 'node:fs';
import { commonColumns } from '../../catalog/test-tables.ts';
import { agentColumns } from '../../registry/agents/agent-record.ts';
import type { OptionValues } from '../arguments.ts';
import { UsageError } from '../command.ts';
import {
  hasMapping,
  type MappingRequest,
  type MappingSettings,
} from '../../load/mapping/complete-mapping.ts';
import { MappingError } from '../../load/mapping-error.ts';
import { type InputFormat, inputFormats } from '../../load/input/input-format.ts';
import { presetNames, readMappingFile, readPreset } from '../../load/mapping/mapping-file.ts';

/** Options of netpanel load for files with other columns, for parseOptions. */
export const mappingOptions = {
  map: { type: 'string', multiple: true },
  mapping: { type: 'string' },
  preset: { type: 'string' },
  'save-mapping': { type: 'string' },
  format: { type: 'string' },
} as const;

export const mappingOptionsUsage = `  --format NAME        ${inputFormats.join(', ')}; default: by the file's name and first bytes
  --map TARGET=EXPR    value of a column, such as bytes_sec=download_mbps*125000, or of a field of the
                       agents, such as isp=provider or custom.tier=plan; repeat it for others
  --mapping FILE       mapping file: the columns of a release, as --save-mapping writes it
  --preset NAME        mapping file of netpanel: ${presetNames().join(', ')}; netpanel presets
                       show NAME prints it
  --save-mapping FILE  write the mapping to a new file, even if it lacks columns`;

/** Reads the mapping file. Throws a UsageError for an invalid value. */
export function mappingSettings(values: OptionValues<typeof mappingOptions>): MappingSettings {
  const { preset, mapping, 'save-mapping': saveTo } = values;
  if (preset !== undefined && mapping !== undefined) {
    throw new UsageError('--preset and --mapping exclude each other');
  }
  const { columns, agents } = parseMaps(values.map ?? []);
  const file = asUsageError(() => {
    if (preset !== undefined) return readPreset(preset);
    return mapping === undefined ? undefined : readMappingFile(mapping);
  });
  if (saveTo !== undefined) {
    if (!hasMapping({ file, columns, agents })) {
      throw new UsageError('--save-mapping needs --map, --mapping or --preset');
    }
    if (existsSync(saveTo)) throw new UsageError(`--save-mapping: ${saveTo} exists already`);
  }
  return { file, preset, columns, agents, format: formatOf(values.format) ?? file?.format, saveTo };
}

function parseMaps(texts: readonly string[]): Pick<MappingRequest, 'columns' | 'agents'> {
  const columns = new Map<string, string>();
  const agents = new Map<string, string>();
  for (const text of texts) {
    const [, target, expression = ''] = /^\s*(custom\.[^=]*[^=\s]|\w+)\s*=(.*)$/is.exec(text) ?? [];
    if (target === undefined || expression.trim() === '') {
      throw new UsageError(
        `--map must be TARGET=EXPRESSION such as bytes_sec=download_mbps*125000, not "${text}"`,
      );
    }
    const isCustom = /^custom\./i.test(target);
    // The keys of custom fields are case-sensitive.
    const name = isCustom ? target.replace(/^custom/i, 'custom') : target.toLowerCase();
    const maps = isCustom || agentFields.includes(name) ? agents : columns;
    if (maps.has(name)) throw new UsageError(`--map ${name}=… is given twice`);
    maps.set(name, expression.trim());
  }
  return { columns: Object.fromEntries(columns), agents: Object.fromEntries(agents) };
}

/** Fields of agents that no test has as a column. */
const agentFields: readonly string[] = agentColumns.filter(
  (name) => !commonColumns.some((common) => common === name),
);

function formatOf(name: string | undefined): InputFormat | undefined {
  const format = inputFormats.find((known) => known === name?.toLowerCase());
  if (name !== undefined && format === undefined) {
    throw new UsageError(`Unknown format "${name}". Allowed: ${inputFormats.join(', ')}.`);
  }
  return format;
}

/** An invalid mapping is an invalid argument. */
export function asUsageError<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof MappingError) throw new UsageError(error.message, { cause: error });
    throw error;
  }
}
