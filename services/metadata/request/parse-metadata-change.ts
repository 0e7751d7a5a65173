import type { CustomLimits } from '../../registry/organisations/custom-limits.ts';
import type { findPackage, PackageChoice } from '../../registry/organisations/packages.ts';
import { Problems } from '../../shared/errors/problems.ts';
import { isTimezone } from '../../shared/timezones.ts';
import type {
  AgentSelector,
  ChangeStep,
  CustomFields,
  MetadataChange,
  NewMetadata,
} from './metadata-change.ts';
import { parseCustom } from './parse-custom.ts';
import {
  type Fields,
  inexact,
  isEmpty,
  isObject,
  notAPackage,
  type Parsed,
  parseFields,
  parsePackageName,
  parseText,
  shown,
} from './parse-fields.ts';

/** Finds a package of the organisation by name. */
export type FindPackage = (name: string) => ReturnType<typeof findPackage>;

/**
 * Parses the body of PUT /metadata. Throws a VALIDATION_FAIL that lists all problems, with the
 * contract's messages. Looks up packages too, so that unknown ones are in the same response.
 */
export async function parseMetadataChange(
  body: unknown,
  now: Date,
  findPackage: FindPackage,
  limits: CustomLimits,
): Promise<MetadataChange> {
  const problems = new Problems();
  const fields = parseFields(bodyObject(body, problems), topFields, undefined, problems);
  const selector = parseSelector(fields.get('agent'), problems);
  const tools = { now, findPackage, limits };
  const selectedPackage = await resolveSelected(selector, findPackage, problems);
  const first = await parseStep(fields, tools, problems);
  const followedBy = await parseFollowing(fields.get('followed_by'), tools, problems);
  if (followedBy.length > 0 && !namesOneAgent(selector)) problems.add('followed_by', needsOneAgent);
  problems.throwIfAny();
  return {
    selector: { ...selector, ...selectedPackage } as MetadataChange['selector'],
    ...first,
    followedBy,
  };
}

const stepFields = ['metadata', 'backdate_from', 'overwrite_all'] as const;
const topFields = ['agent', ...stepFields, 'followed_by'] as const;
/** Each is a statement of the same transaction, which holds the lock of the organisation. */
const maxFollowing = 50;

interface StepTools {
  readonly now: Date;
  readonly findPackage: FindPackage;
  readonly limits: CustomLimits;
}

async function parseStep(
  fields: Fields,
  { now, findPackage, limits }: StepTools,
  problems: Problems,
): Promise<ChangeStep> {
  const metadata = parseNewMetadata(fields.get('metadata'), problems, limits);
  const validFromUtc = parseBackdate(fields.get('backdate_from'), now, problems);
  const overwriteAll = parseOverwriteAll(fields.get('overwrite_all'), problems);
  const newPackage = await resolveNew(metadata, findPackage, problems);
  const resolved = { ...metadata, ...newPackage } as ChangeStep['metadata'];
  return { metadata: resolved, validFromUtc, overwriteAll };
}

async function parseFollowing(
  value: unknown,
  tools: StepTools,
  problems: Problems,
): Promise<readonly ChangeStep[]> {
  if (value === undefined) return [];
  if (!Array.isArray(value) || value.length > maxFollowing) {
    problems.add('followed_by', `Send a list of at most ${maxFollowing} changes.`);
    return [];
  }
  const steps: ChangeStep[] = [];
  for (const [i, step] of (value as unknown[]).entries()) {
    const part = `followed_by[${i}]`;
    if (isObject(step)) {
      const own = problems.ofPart(part);
      const fields = parseFields(step, stepFields, undefined, own);
      steps.push(await parseStep(fields, tools, own));
    } else problems.add(part, 'This value should be of type object.');
  }
  return steps;
}

/** The selector before the package name is resolved. */
type SentSelector = Omit<AgentSelector, 'package'> & { readonly package?: string };

function parseSelector(value: unknown, problems: Problems): SentSelector {
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
  const custom = fields.get('custom');
  return validFields({
    agentId: text('agent_id'),
    unitId: parseUnitId(fields.get('unit_id'), problems),
    macAddress: text('mac_address'),
    isp: text('isp'),
    package: parsePackageName(fields.get('package'), 'agent[package]', problems),
    timezone: text('timezone'),
    custom: parseCustom(custom, 'agent[custom]', selectedCustom, problems) as Parsed<CustomFields>,
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

const selectedCustom = {
  whenNull: 'Cannot search for null custom metadata.',
  whenEmpty: 'Must specify at least one key when searching by custom fields.',
};

function parseUnitId(value: unknown, problems: Problems): Parsed<number> {
  if (value === undefined) return undefined;
  if (!Number.isInteger(value)) {
    return problems.add('agent[unit_id]', 'This value should be of type integer.');
  }
  // JSON.parse rounds 9007199254740993 to 9007199254740992: the number of another unit.
  return Number.isSafeInteger(value) ? (value as number) : problems.add('agent[unit_id]', inexact);
}

/** The new metadata before the package name is resolved. */
type SentMetadata = Omit<NewMetadata, 'package'> & { readonly package?: string };

function parseNewMetadata(value: unknown, problems: Problems, limits: CustomLimits): SentMetadata {
  if (!isObject(value)) {
    const isMissing = value === undefined;
    problems.add(
      'metadata',
      isMissing ? 'This field is missing.' : 'This value should be of type object.',
    );
    return {};
  }
  const fields = parseFields(value, ['package', 'timezone', 'custom'], 'metadata', problems);
  return validFields({
    package: parsePackageName(fields.get('package'), 'metadata[package]', problems),
    timezone: parseTimezone(fields.get('timezone'), problems),
    custom: parseCustom(fields.get('custom'), 'metadata[custom]', newCustom, problems, limits),
  });
}

const newCustom = {
  whenNull: 'Cannot null custom metadata.',
  whenEmpty: 'Must specify at least one key when updating custom fields.',
};

function parseTimezone(value: unknown, problems: Problems): Parsed<string> {
  if (value === undefined) return undefined;
  if (typeof value === 'string' && isTimezone(value)) return value;
  return problems.add('metadata[timezone]', `${shown(value)} is not a valid IANA timezone.`);
}

type Valid<T> = { readonly [K in keyof T]?: NonNullable<T[K]> };

/** Omits fields that are missing (undefined) or invalid (null). */
function validFields<T extends object>(fields: T): Valid<T> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && value !== null),
  ) as Valid<T>;
}

/** The other selectors match current metadata: the first step could change which agents the next ones match. */
function namesOneAgent({ agentId, unitId, macAddress, ...others }: SentSelector): boolean {
  const isNamed = agentId !== undefined || unitId !== undefined || macAddress !== undefined;
  return isNamed && Object.keys(others).length === 0;
}

const needsOneAgent =
  'Select the agent by agent_id, unit_id or mac_address alone, because the first change may alter other fields.';

function bodyObject(body: unknown, problems: Problems): object {
  // Without a body, the response lists the missing fields.
  if (body === undefined || isEmpty(body)) return {};
  if (isObject(body)) return body;
  problems.add('body', 'This value should be of type object.');
  problems.throwIfAny();
  return {};
}

const maxBackdateS = 28 * 86_400;
/** The clock of a client may be ahead. Such a change counts from now on. */
const maxClockAheadS = 60;

function parseBackdate(value: unknown, now: Date, problems: Problems): Date {
  const startOfToday = new Date(now);
  startOfToday.setUTCHours(0, 0, 0, 0);
  if (value === undefined) return startOfToday;
  if (!Number.isInteger(value)) {
    problems.add('backdate_from', `Invalid backdate (${shown(value)}). Must be a valid integer.`);
    return startOfToday;
  }
  const validFromS = value as number;
  const nowS = Math.floor(now.getTime() / 1000);
  if (validFromS < nowS - maxBackdateS || validFromS > nowS + maxClockAheadS) {
    problems.add('backdate_from', `Invalid backdate (${shown(value)}). Must be in last 28 days.`);
    return startOfToday;
  }
  return new Date(Math.min(validFromS, nowS) * 1000);
}

function parseOverwriteAll(value: unknown, problems: Problems): boolean {
  if (value === undefined || typeof value === 'boolean') return value ?? false;
  problems.add('overwrite_all', 'This value should be of type bool.');
  return false;
}

async function resolveSelected(
  { package: name }: SentSelector,
  findPackage: FindPackage,
  problems: Problems,
): Promise<Pick<AgentSelector, 'package'>> {
  if (name === undefined) return {};
  const found = await findPackage(name);
  // `<isp>:` alone is a form of the new metadata only.
  const isIspAlone = typeof found === 'string' ? /^[^:]+:$/.test(name) : found.packageId === null;
  if (isIspAlone) problems.add('agent[package]', notAPackage(name));
  if (typeof found === 'string' || found.packageId === null) return { package: 'unknown' };
  return { package: found.packageId };
}

async function resolveNew(
  { package: name }: SentMetadata,
  findPackage: FindPackage,
  problems: Problems,
): Promise<{ package?: PackageChoice }> {
  if (name === undefined) return {};
  const found = await findPackage(name);
  if (typeof found !== 'string') return { package: found };
  const reason = found === 'unknown isp' ? 'Invalid Isp name' : 'Invalid Package name';
  problems.add(
    'metadata[package]',
    `Unable to resolve new package ${shown(name)}. (${reason} in new package)`,
  );
  return {};
}
