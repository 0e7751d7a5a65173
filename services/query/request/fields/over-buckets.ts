import type { Parsing } from '../parse-context.ts';
import type { Json } from '../request-body.ts';
import type { FieldsOf } from './report-field.ts';
import { isNumber, object, trueOrFalse } from './shapes.ts';

export interface OverBucketsFields {
  readonly overBuckets?: OverBuckets;
}

/** A second aggregation, over the buckets of a series. */
export type OverBuckets =
  /** The bucket with the worst value: the lowest speed, the highest latency or traffic. */
  | { readonly kind: 'busiest' }
  /** The share of buckets whose value is at least this. */
  | { readonly kind: 'share'; readonly atLeast: number };

const notForPublished =
  'Not for published unit averages: a masked value would make the worst bucket unknown.';

const sendOne =
  'Send { "busiest": true }, or a threshold in the unit of the metric, such as { "atLeast": 90 }.';

const fields = {
  busiest: {
    ...trueOrFalse,
    default: false,
    about:
      'Returns the point with the lowest value of a metric whose higher values are `better`, and the highest value of others.',
  },
  atLeast: {
    schema: { type: 'number' },
    about: 'Returns the share of buckets whose `metricValue` is at least this threshold.',
  },
} as const;

export const overBucketsFields = {
  overBuckets: {
    component: 'OverBuckets',
    ...object(fields, sendOne, parseOverBuckets),
    about:
      'A second aggregation, over the buckets of each series, without suppressed ones. Send `busiest` or `atLeast`.',
    example: { busiest: true },
    inFull: (value) => (value === 'busiest' ? { busiest: true } : value),
    check: (overBuckets, { aggregation, metric, problems }) => {
      if (overBuckets === undefined) return;
      if (metric?.masked !== undefined) problems.add('overBuckets', notForPublished);
      if (aggregation !== 'total') return;
      problems.add('overBuckets', 'Send an aggregation with buckets, such as "hour_of_day".');
    },
  },
} satisfies FieldsOf<OverBucketsFields>;

function parseOverBuckets(
  { busiest, atLeast }: Json,
  path: string,
  { problems }: Parsing,
): OverBuckets | null {
  if (busiest === true && atLeast === undefined) return { kind: 'busiest' };
  if (busiest === undefined && isNumber(atLeast)) return { kind: 'share', atLeast };
  return problems.add(path, sendOne);
}
