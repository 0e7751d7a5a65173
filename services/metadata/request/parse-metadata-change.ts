import type { CustomLimits } from '../../registry/custom-limits.ts';
import type { findPackage, PackageChoice } from '../../registry/packages.ts';
import { Problems } from '../../shared/errors/problems.ts';
import type { MetadataChange, SelectedPackage } from './metadata-change.ts';
import { isEmpty, isObject, parseFields, shown } from './parse-fields.ts';
import { notAPackage } from './parse-package-name.ts';
import { parseNewMetadata, type SentMetadata } from './parse-new-metadata.ts';
import { parseSelector, type SentSelector } from './parse-selector.ts';

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
  const metadata = parseNewMetadata(fields.get('metadata'), problems, limits);
  const validFromUtc = parseBackdate(fields.get('backdate_from'), now, problems);
  const overwriteAll = parseOverwriteAll(fields.get('overwrite_all'), problems);
  const selectedPackage = await resolveSelected(selector, findPackage, problems);
  const newPackage = await resolveNew(metadata, findPackage, problems);
  problems.throwIfAny();
  return {
    selector: { ...selector, ...selectedPackage } as MetadataChange['selector'],
    metadata: { ...metadata, ...newPackage } as MetadataChange['metadata'],
    validFromUtc,
    overwriteAll,
  };
}

const topFields = ['agent', 'metadata', 'backdate_from', 'overwrite_all'] as const;

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
): Promise<{ package?: SelectedPackage | 'unknown' }> {
  if (name === undefined) return {};
  const found = await findPackage(name);
  // `<isp>:` alone is a form of the new metadata only.
  const isIspAlone = typeof found === 'string' ? /^[^:]+:$/.test(name) : found.packageId === null;
  if (isIspAlone) problems.add('agent[package]', notAPackage(name));
  if (typeof found === 'string' || found.packageId === null) return { package: 'unknown' };
  return { package: { packageId: found.packageId } };
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
