import { isTestKey, type TestKey, testKeys } from '../../catalog/test-tables.ts';
import type { OptionValues } from '../arguments.ts';
import { UsageError } from '../../shared/errors/usage-error.ts';
import { resultSettings } from '../../results/result-settings.ts';
import { cliSettings } from '../config.ts';
import { waitOptions, waitUsage } from '../wait-for-publication.ts';
import { operatorName } from '../with-stores.ts';
import { type Encoding, encodingNames } from '../../load/input/text-encoding.ts';
import type { LoadSettings } from '../../load/blocks/load-target.ts';
import { parseRejectLimit } from '../../load/blocks/rejects.ts';

/** Options of netpanel load and load-mba, for parseOptions. */
export const loadOptions = {
  rejects: { type: 'string' },
  'max-rejects': { type: 'string' },
  encoding: { type: 'string' },
  strict: { type: 'boolean', default: false },
  again: { type: 'boolean', default: false },
  replace: { type: 'boolean', default: false },
  'known-agents-only': { type: 'boolean', default: false },
  'dry-run': { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  ...waitOptions,
} as const;

export const loadOptionsUsage = `  --known-agents-only  reject rows of unregistered agents instead of registering them
  --strict             stop at the first invalid row
  --max-rejects N|P%   stop when more rows are rejected: N rows, or P percent of the rows read so
                       far, which is checked after each file
  --rejects DIR        folder for reject files; default: next to each file
  --encoding NAME      ${Object.keys(encodingNames).join(', ')}; default: detected
  --again              load even blocks that were loaded before, for example after a TRUNCATE
  --replace            replace stored results that have the same key as a row; the audit records it
  --dry-run            read and check everything, store nothing; reject files are written
  --json               print one JSON object at the end
  --no-wait            return before queries use the new metadata
  --wait-seconds N     how long to wait for that; default: 120

${waitUsage}`;

export const exitCodesUsage = `Exit codes: 0 all valid rows are loaded or were already there; 1 failure; 2 invalid arguments;
3 nothing was loaded: all rows were rejected or all files skipped; 4 more rejected rows than
--max-rejects; 5 some files were skipped or rejected completely, the others are loaded; 6 all valid rows
are stored, but the new metadata is not published yet; 7 some rows differ from stored results with the
same key, which were kept: --replace replaces them.`;

/** Throws a UsageError for an invalid value. */
export function loadSettings(values: OptionValues<typeof loadOptions>): LoadSettings {
  return {
    rejectsDir: values.rejects,
    encoding: values.encoding === undefined ? undefined : encodingOf(values.encoding),
    knownAgentsOnly: values['known-agents-only'],
    isStrict: values.strict,
    rejectLimit: parseRejectLimit(values['max-rejects']),
    actor: operatorName(),
    again: values.again,
    isReplacing: values.replace,
    ...cliSettings(resultSettings),
    isDryRun: values['dry-run'],
    isJson: values.json,
  };
}

export function knownTest(test: string): TestKey {
  if (isTestKey(test)) return test;
  throw new UsageError(`Unknown test "${test}". Allowed: ${testKeys.toSorted().join(', ')}.`);
}

function encodingOf(name: string): Encoding {
  const encoding = encodingNames[name.toLowerCase()];
  if (encoding !== undefined) return encoding;
  const allowed = Object.keys(encodingNames).join(', ');
  throw new UsageError(`Unknown encoding "${name}". Allowed: ${allowed}.`);
}
