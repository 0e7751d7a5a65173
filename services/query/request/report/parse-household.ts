import type { Problems } from '../../../shared/errors/problems.ts';
import { isObject, type Json, warnOfUnknownFields } from '../request-body.ts';
import { suggestion } from '../suggestion.ts';
import { optionalWholeNumber, percentOf } from './numbers.ts';
import type { Household, HouseholdStatistic, Trim } from './report.ts';

const statisticNames = ['mean', 'median', 'min', 'max', 'trimmedMean', 'p20'];
const fields = ['statistic', 'trim', 'trimOver', 'minResults', 'minDays'];
/** What the FCC and the ACCC cut off. */
const usualTrim = { low: 1, high: 99 };

export function parseHousehold(household: unknown, problems: Problems): Household | null {
  if (household === undefined || household === null) return null;
  if (!isObject(household)) {
    return problems.add('household', 'Send an object, such as { "statistic": "mean" }.');
  }
  warnOfUnknownFields(household, fields, 'household', problems.warnings);
  const statistic = parseStatistic(household.statistic, problems);
  const trim = parseTrim(household, problems);
  const minimum = (name: string) =>
    optionalWholeNumber(household[name], `household[${name}]`, problems) ?? 0;
  const [minResults, minDays] = [minimum('minResults'), minimum('minDays')];
  if (statistic === null) return null;
  return { statistic, ...(trim && { trim }), minResults, minDays };
}

function parseStatistic(name: unknown, problems: Problems): HouseholdStatistic | null {
  if (name === 'mean' || name === 'min' || name === 'max') return { kind: name };
  if (name === 'trimmedMean') return { kind: 'mean' };
  if (name === 'median') return { kind: 'percentile', percent: 50 };
  const path = 'household[statistic]';
  if (typeof name !== 'string') {
    return problems.add(path, `Required: send one of: ${statisticNames.join(', ')}.`);
  }
  const [, number] = /^p(\d{1,3}(?:\.\d{1,4})?)$/.exec(name) ?? [];
  if (number === undefined) {
    return problems.add(path, `Unknown statistic. ${suggestion(name, statisticNames)}`);
  }
  const percent = percentOf(Number(number));
  return percent === undefined
    ? problems.add(path, 'A percentile is from p0 to p100.')
    : { kind: 'percentile', percent };
}

function parseTrim(household: Json, problems: Problems): Trim | null {
  const over = household.trimOver ?? 'window';
  if (over !== 'window' && over !== 'range') {
    return problems.add('household[trimOver]', 'Send "window" or "range".');
  }
  const { trim } = household;
  if (trim === undefined || trim === null) {
    if (household.statistic === 'trimmedMean') return { ...usualTrim, over };
    return household.trimOver === undefined
      ? null
      : problems.add('household[trimOver]', 'Send trim too, such as [1, 99].');
  }
  const path = 'household[trim]';
  if (!Array.isArray(trim) || trim.length !== 2) return problems.add(path, bounds);
  const [low, high] = trim.map((bound: unknown) => (bound === null ? null : percentOf(bound)));
  if (low === undefined || high === undefined || (low === null && high === null)) {
    return problems.add(path, bounds);
  }
  if (low !== null && high !== null && low >= high) {
    return problems.add(path, 'The first percentile must be below the second.');
  }
  return { low, high, over };
}

const bounds =
  'Send two percentiles from 0 to 100, such as [1, 99]; null for one of them leaves that end open.';
