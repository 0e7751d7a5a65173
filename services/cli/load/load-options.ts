import { UsageError } from '../command.ts';
import { readResultSettings } from '../config.ts';
import { waitOptions, waitUsage } from '../wait-for-publication.ts';
import { type Encoding, encodingNames } from './input/text-encoding.ts';
import type { LoadTarget } from './load-target.ts';
import { RejectLimit } from './summary/reject-limit.ts';

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
  --rejects DIR        folder for reject files; default: beside each file
  --encoding NAME      ${Object.keys(encodingNames).join(', ')}; default: detected
  --again              load blocks again that were loaded before, for example after a TRUNCATE
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

interface OptionValues {
  readonly rejects?: string | undefined;
  readonly 'max-rejects'?: string | undefined;
  readonly encoding?: string | undefined;
  readonly strict: boolean;
  readonly again: boolean;
  readonly replace: boolean;
  readonly 'known-agents-only': boolean;
  readonly 'dry-run': boolean;
  readonly json: boolean;
}

export interface LoadSettings extends Pick<
  LoadTarget,
  | 'knownAgentsOnly'
  | 'isStrict'
  | 'rejectLimit'
  | 'again'
  | 'isReplacing'
  | 'isDryRun'
  | 'maxAheadS'
> {
  readonly rejectsDir: string | undefined;
  readonly encoding: Encoding | undefined;
  readonly isJson: boolean;
}

/** Throws a UsageError for an invalid value. */
export function loadSettings(values: OptionValues): LoadSettings {
  return {
    rejectsDir: values.rejects,
    encoding: values.encoding === undefined ? undefined : encodingOf(values.encoding),
    knownAgentsOnly: values['known-agents-only'],
    isStrict: values.strict,
    rejectLimit: new RejectLimit(values['max-rejects']),
    again: values.again,
    isReplacing: values.replace,
    ...readResultSettings(),
    isDryRun: values['dry-run'],
    isJson: values.json,
  };
}

function encodingOf(name: string): Encoding {
  const encoding = encodingNames[name.toLowerCase()];
  if (encoding !== undefined) return encoding;
  const allowed = Object.keys(encodingNames).join(', ');
  throw new UsageError(`Unknown encoding "${name}". Allowed: ${allowed}.`);
}
