import { Problems } from '../../shared/errors/problems.ts';
import { shortened } from '../../shared/errors/shortened.ts';
import { isTestKey, testTables, type TestKey } from '../../catalog/test-tables.ts';
import { datePeriod, dayMs, type Period } from './date-period.ts';
import { noGrants, suggestion } from './suggestion.ts';
import type { ParseContext, Parsing } from './parse-context.ts';
import { requireNoFloor } from './privacy-floor.ts';
import { isObject, warnOfUnknownFields } from './request-body.ts';
import type { RequestFields } from './fields/request-field.ts';
import { rangeFields } from './fields/time.ts';
import type { TestQuery } from './test-query.ts';

export const testFields = {
  test: {
    schema: { type: 'string', minLength: 1 },
    isRequired: true,
    about: 'A key of `GET /tests`.',
  },
  date: {
    component: 'UtcRange',
    schema: { type: 'object' },
    fields: rangeFields,
    isRequired: true,
    about:
      'UTC, both ends included. `YYYY-MM-DD`, `YYYYMMDD`, `YYYY-MM`, `YYYY`, `+x days`, `-x days`, `last|next|this <day name>`, `now`. `from` is rounded down to the start of its period, `to` is rounded up to the end. `now` is today’s midnight as `from` and the current second as `to`.',
  },
} satisfies RequestFields;

/** Parses a request body. Throws a VALIDATION_FAIL that lists all problems, or a PRIVACY_FLOOR. */
export function parseTestQuery(body: unknown, context: ParseContext): TestQuery {
  requireNoFloor(context.minAgents);
  const problems = new Problems();
  const parsing = { ...context, problems };
  const request = isObject(body) ? body : {};
  if (!isObject(body)) problems.add('body', 'Send a JSON object.');
  warnOfUnknownFields(request, Object.keys(testFields), '', problems.warnings);
  const test = parseTest(request.test, parsing);
  const range = parseDateRange(request.date, parsing);
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

function parseTest(key: unknown, { tests, problems }: Parsing): TestKey | null {
  const allowed = Object.keys(testTables).filter(
    (candidate) => tests === 'all' || tests.includes(candidate),
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

function parseDateRange(date: unknown, parsing: Parsing): Period | null {
  const { problems, limits } = parsing;
  if (!isObject(date)) {
    return problems.add('date', 'Required: send { "from": "2026-01-01", "to": "2026-01-31" }.');
  }
  warnOfUnknownFields(date, Object.keys(rangeFields), 'date', problems.warnings);
  const from = parseDate(date.from, 'date[from]', parsing);
  const to = parseDate(date.to, 'date[to]', parsing);
  if (from === null || to === null) return null;
  if (from.fromMs > to.toMs) return problems.add('date[from]', 'Must not be after date[to].');
  if (to.toMs - from.fromMs >= limits.maxRangeDays * dayMs) {
    const most = `${limits.maxRangeDays} days`;
    return problems.add('date', `The range is too long; send at most ${most}.`);
  }
  return { fromMs: from.fromMs, toMs: to.toMs };
}

function parseDate(value: unknown, path: string, { now, problems }: Parsing): Period | null {
  const period = typeof value === 'string' ? datePeriod(value, now) : undefined;
  if (period !== undefined) return period;
  const wrong = value === undefined ? 'Required: send' : 'Invalid date. Send';
  return problems.add(path, `${wrong} ${allowedDates}`);
}

const allowedDates =
  'YYYY-MM-DD, YYYYMMDD, YYYY-MM, YYYY, now, +1 days, -7 days, or last, this or next monday.';

/** `2026-01-31 23:59:59.999` */
function millisecondText(ms: number): string {
  return new Date(ms).toISOString().slice(0, 23).replace('T', ' ');
}
