import type { AggregationDefinition } from '../../../catalog/aggregations.ts';
import { type Expression, param, sql } from '../../../shared/sql/expression.ts';
import type { BucketShift } from '../../request/paired-buckets.ts';

type ShownAs = AggregationDefinition['shownAs'];

/** SQL of the bucket of the request that a bucket of the other side pairs with. */
export function bucketOfHere(
  bucket: string,
  shifts: readonly BucketShift[],
  shownAs: ShownAs,
): Expression {
  return shifted(bucket, shifts, shownAs, 'there');
}

/** SQL of the bucket of the other side. */
export function bucketOfThere(shifts: readonly BucketShift[], shownAs: ShownAs): Expression {
  return shifted('bucket', shifts, shownAs, 'here');
}

function shifted(
  bucket: string,
  shifts: readonly BucketShift[],
  shownAs: ShownAs,
  from: 'there' | 'here',
): Expression {
  const [first, ...later] = shifts;
  if (first === undefined) return bucket;
  const sign = from === 'there' ? 1 : -1;
  const type = shownAs === 'date' ? 'Date32' : "DateTime('UTC')";
  // The last shift that begins up to the bucket.
  const by = later.reduce<Expression>(
    (before, shift) =>
      sql`if(${bucket} >= ${param('pair_from', type, textOf(shift[from], shownAs))}, ${String(sign * shift.by)}, ${before})`,
    String(sign * first.by),
  );
  return sql`${adding[first.unit]}(${bucket}, ${by})`;
}

const adding = { seconds: 'addSeconds', days: 'addDays', months: 'addMonths' } as const;

function textOf(clock: string, shownAs: ShownAs): string {
  return shownAs === 'date' ? clock.slice(0, 10) : clock;
}
