import { Problems } from '../../shared/errors/problems.ts';
import { shortened } from '../../shared/errors/shortened.ts';
import { isTestKey, testTables, type TestKey } from '../../catalog/test-tables.ts';
import { datePeriod, dayMs, type Period } from './date-period.ts';
import { noGrants, suggestion } from './suggestion.ts';
import type { ParseContext } from './parse-context.ts';
import { requireNoFloor } from './privacy-floor.ts';
import { isObject, warnOfUnknownFields } from './request-body.ts';
import type { TestQuery } from './test-query.ts';

/** Parses a request body. Throws a VALIDATION_FAIL that lists all problems, or a PRIVACY_FLOOR. */
export function parseTestQuery(body: unknown, context: ParseContext): TestQuery {
  requireNoFloor(context.minAgents);
  const problems = new Problems();
  const request = isObject(body) ? body : {};
  if (!isObject(body)) problems.add('body', 'Send a JSON object.');
  warnOfUnknownFields(request, ['test', 'date'], '', problems.warnings);
  const test = parseTest(request.test, context, problems);
  const range = parseDateRange(request.date, context, problems);
  problems.throwIfAny();
  if (test === null || range === null) throw new Error('A problem was not reported');
  return {
    organisationId: context.organisationId,
    test,
    fromUtc: millisecondText(range.fromMs),
    toUtc: millisecondText(range.toMs),
    warnings: [...context.metadataWarnings, ...problems.warnings.list],
  };
}

function parseTest(key: unknown, context: ParseContext, problems: Problems): TestKey | null {
  const allowed = Object.keys(testTables).filter(
    (candidate) => context.tests === 'all' || context.tests.includes(candidate),
  );
  if (typeof key !== 'string') {
    return problems.add('test', 'Required: send the key of a test. GET /tests lists them.');
  }
  if (isTestKey(key) && allowed.includes(key)) return key;
  return problems.add(
    'test',
    `Unknown test ${JSON.stringify(shortened(key))}. ${suggestion(key, allowed, noGrants('test'))}`,
  );
}

function parseDateRange(
  date: unknown,
  { now, limits: { maxRangeDays } }: ParseContext,
  problems: Problems,
): Period | null {
  if (!isObject(date)) {
    return problems.add('date', 'Required: send { "from": "2026-01-01", "to": "2026-01-31" }.');
  }
  warnOfUnknownFields(date, ['from', 'to'], 'date', problems.warnings);
  const from = parseDate(date.from, 'date[from]', now, problems);
  const to = parseDate(date.to, 'date[to]', now, problems);
  if (from === null || to === null) return null;
  if (from.fromMs > to.toMs) return problems.add('date[from]', 'Must not be after date[to].');
  if (to.toMs - from.fromMs >= maxRangeDays * dayMs) {
    return problems.add('date', `The range is too long; send at most ${maxRangeDays} days.`);
  }
  return { fromMs: from.fromMs, toMs: to.toMs };
}

function parseDate(value: unknown, path: string, now: Date, problems: Problems): Period | null {
  const period = typeof value === 'string' ? datePeriod(value, now) : undefined;
  return (
    period ??
    problems.add(
      path,
      `${value === undefined ? 'Required: send' : 'Invalid date. Send'} YYYY-MM-DD, YYYYMMDD, YYYY-MM, YYYY, now, +1 days, -7 days, or last, this or next monday.`,
    )
  );
}

/** `2026-01-31 23:59:59.999` */
function millisecondText(ms: number): string {
  return new Date(ms).toISOString().slice(0, 23).replace('T', ' ');
}
