import moment from 'moment-timezone';
import type { CustomLimits } from '../../registry/custom-limits.ts';
import type { Problems } from '../../shared/errors/problems.ts';
import type { NewMetadata } from './metadata-change.ts';
import { parseNewCustom } from './parse-custom.ts';
import { isObject, parseFields, type Parsed, shown } from './parse-fields.ts';
import { parsePackageName } from './parse-package-name.ts';
import { validFields } from './valid-fields.ts';

/** The new metadata before the package name is resolved. */
export type SentMetadata = Omit<NewMetadata, 'package'> & { readonly package?: string };

export function parseNewMetadata(
  value: unknown,
  problems: Problems,
  limits: CustomLimits,
): SentMetadata {
  if (value === undefined) {
    problems.add('metadata', 'This field is missing.');
    return {};
  }
  if (!isObject(value)) {
    problems.add('metadata', 'This value should be of type object.');
    return {};
  }
  const fields = parseFields(value, ['package', 'timezone', 'custom'], 'metadata', problems);
  return validFields({
    package: parsePackageName(fields.get('package'), 'metadata[package]', problems),
    timezone: parseTimezone(fields.get('timezone'), problems),
    custom: parseNewCustom(
      fields.get('custom'),
      'metadata[custom]',
      customWording,
      problems,
      limits,
    ),
  });
}

const customWording = {
  whenNull: 'Cannot null custom metadata.',
  whenEmpty: 'Must specify at least one key when updating custom fields.',
};

/** The zones of the time zone dictionary, including aliases such as Asia/Katmandu. */
const timezoneNames: ReadonlySet<unknown> = new Set(moment.tz.names());

function parseTimezone(value: unknown, problems: Problems): Parsed<string> {
  if (value === undefined) return undefined;
  if (typeof value === 'string' && timezoneNames.has(value)) return value;
  return problems.add('metadata[timezone]', `${shown(value)} is not a valid IANA timezone.`);
}
