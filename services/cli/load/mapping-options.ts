import { existsSync } from 'node:fs';
import { oneOf, type OptionValues } from '../arguments.ts';
import { UsageError } from '../../shared/errors/usage-error.ts';
import {
  hasMapping,
  type MappingSettings,
  parseMaps,
} from '../../load/mapping/complete-mapping.ts';
import { MappingError } from '../../load/mapping-error.ts';
import { inputFormats } from '../../load/input/input-format.ts';
import { presetNames, readMappingFile, readPreset } from '../../load/mapping/mapping-file.ts';

/** Options of netpanel load for files with other columns, for parseOptions. */
export const mappingOptions = {
  map: { type: 'string', multiple: true },
  mapping: { type: 'string' },
  preset: { type: 'string' },
  'save-mapping': { type: 'string' },
  format: { type: 'string' },
  ignore: { type: 'string' },
} as const;

export const mappingOptionsUsage = `  --ignore a,b         columns of the files to ignore
  --format NAME        ${inputFormats.join(', ')}; default: by the file's name and first bytes
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
  const format =
    values.format === undefined
      ? undefined
      : oneOf(values.format.toLowerCase(), inputFormats, '--format');
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
  const ignore = (values.ignore ?? '').split(',').filter((name) => name !== '');
  return { file, preset, columns, agents, ignore, format: format ?? file?.format, saveTo };
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
