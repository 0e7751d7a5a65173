import type { Parsing } from '../parse-context.ts';
import type { Json } from '../request-body.ts';
import { suggestion } from '../suggestion.ts';
import type { FieldsOf } from './report-field.ts';
import { choice, object, percentile, percentOf, wholeNumber } from './shapes.ts';

export interface HouseholdFields {
  readonly household?: Household;
}

/** How the results of a household become one value. */
export interface Household {
  readonly statistic: HouseholdStatistic;
  readonly trim?: Trim;
  /** A household with fewer results or local days is left out. */
  readonly minResults: number;
  readonly minDays: number;
}

export type HouseholdStatistic =
  | { readonly kind: 'mean' | 'min' | 'max' }
  | { readonly kind: 'percentile'; readonly percent: number };

/** Leaves out results below and above two percentiles of the household's own results; null: an open end. */
export interface Trim {
  readonly low: number | null;
  readonly high: number | null;
  /** The results of which the percentiles are computed: all in the range, or only those in the window. */
  readonly over: 'range' | 'window';
}

const trimOver = choice('window', 'range');

const fields = {
  statistic: {
    schema: { type: 'string', minLength: 2 },
    isRequired: true,
    about:
      '`mean`, `median`, `min`, `max`, a percentile such as `p20` or `p97.5`, or `trimmedMean`: the mean with `trim` `[1, 99]` unless another one is sent.',
    example: 'trimmedMean',
  },
  trim: {
    schema: { type: 'array', minItems: 2, maxItems: 2 },
    items: { ...percentile, isNullable: true },
    about:
      'Leaves out results below and above two percentiles of the household’s own results; `null` leaves an end open.',
  },
  trimOver: {
    ...trimOver,
    default: 'window',
    about:
      'Whether these percentiles are of the results in the `window` or of all in the range (`range`).',
  },
  minResults: {
    ...wholeNumber,
    about: 'Households with fewer results in the bucket are left out.',
  },
  minDays: {
    ...wholeNumber,
    about: 'Households with results on fewer local days are left out.',
  },
} as const;

export const householdFields = {
  household: {
    component: 'Household',
    ...object(fields, 'Send an object, such as { "statistic": "mean" }.', parseHousehold),
    about:
      'The results of each household in a bucket become one value first; the statistics of a point are those of these values. `agent_agg: true` is `{"statistic": "mean"}`.',
    example: { statistic: 'trimmedMean', trim: [1, 99], trimOver: 'range', minResults: 5 },
    flags: {
      household: {
        value: 'STATISTIC',
        sets: 'statistic',
        about: 'one value per household first: mean, median, min, max, trimmedMean, p20 …',
      },
    },
    absent: ({ agentAgg }) =>
      agentAgg ? { statistic: { kind: 'mean' }, minResults: 0, minDays: 0 } : undefined,
  },
} satisfies FieldsOf<HouseholdFields>;

const statisticNames = ['mean', 'median', 'min', 'max', 'trimmedMean', 'p20'];
/** What the FCC and the ACCC cut off. */
const usualTrim = { low: 1, high: 99 };

function parseHousehold(household: Json, path: string, scope: Parsing): Household | null {
  const statistic = parseStatistic(household.statistic, scope);
  const trim = parseTrim(household, scope);
  const minimum = (name: 'minResults' | 'minDays') => {
    const sent = household[name];
    return sent === undefined ? 0 : wholeNumber.parse(sent, `${path}[${name}]`, scope);
  };
  const [minResults, minDays] = [minimum('minResults') ?? 0, minimum('minDays') ?? 0];
  if (statistic === null) return null;
  return { statistic, ...(trim && { trim }), minResults, minDays };
}

function parseStatistic(name: unknown, { problems }: Parsing): HouseholdStatistic | null {
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

function parseTrim(household: Json, scope: Parsing): Trim | null {
  const { problems } = scope;
  const sentOver = household.trimOver ?? fields.trimOver.default;
  const over = trimOver.parse(sentOver, 'household[trimOver]', scope);
  if (over === null) return null;
  const { trim } = household;
  if (trim === undefined) {
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
