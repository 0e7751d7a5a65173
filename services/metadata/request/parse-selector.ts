import type { Problems } from '../../shared/errors/problems.ts';
import type { AgentSelector } from './metadata-change.ts';
import { validFields } from './valid-fields.ts';
import { parseSelectedCustom } from './parse-custom.ts';
import { inexact, isEmpty, isObject, parseFields, type Parsed, parseText } from './parse-fields.ts';
import { parsePackageName } from './parse-package-name.ts';

/** The selector before the package name is resolved. */
export type SentSelector = Omit<AgentSelector, 'package'> & { readonly package?: string };

export function parseSelector(value: unknown, problems: Problems): SentSelector {
  if (value === undefined || value === null || value === '' || isEmpty(value)) {
    problems.add('agent', 'Agent cannot be empty.');
    return {};
  }
  if (!isObject(value)) {
    problems.add('agent', 'This value should be of type object.');
    return {};
  }
  const fields = parseFields(value, selectorFields, 'agent', problems);
  const text = (name: string) => parseText(fields.get(name), `agent[${name}]`, problems);
  return validFields({
    agentId: text('agent_id'),
    unitId: parseUnitId(fields.get('unit_id'), problems),
    macAddress: text('mac_address'),
    isp: text('isp'),
    package: parsePackageName(fields.get('package'), 'agent[package]', problems),
    timezone: text('timezone'),
    custom: parseSelectedCustom(fields.get('custom'), 'agent[custom]', customWording, problems),
  });
}

const selectorFields = [
  'agent_id',
  'unit_id',
  'mac_address',
  'isp',
  'package',
  'timezone',
  'custom',
] as const;

const customWording = {
  whenNull: 'Cannot search for null custom metadata.',
  whenEmpty: 'Must specify at least one key when searching by custom fields.',
};

function parseUnitId(value: unknown, problems: Problems): Parsed<number> {
  if (value === undefined) return undefined;
  if (!Number.isInteger(value)) {
    return problems.add('agent[unit_id]', 'This value should be of type integer.');
  }
  // JSON.parse rounds 9007199254740993 to 9007199254740992: the number of another unit.
  if (!Number.isSafeInteger(value)) {
    return problems.add('agent[unit_id]', inexact);
  }
  return value as number;
}
