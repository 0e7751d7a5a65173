import { aggregationDefinition } from '../../../catalog/aggregations.ts';
import type { Expression } from '../../../shared/sql/expression.ts';
import { as, type Column, nameOf, type Step } from '../../../shared/sql/select.ts';
import type { AggregateMetricQuery } from '../../request/metric-query.ts';
import { resultsStep } from '../results-step.ts';
import { splitColumn, splitForm } from '../split-column.ts';
import {
  type Asked,
  askedOf,
  flagsOf,
  type RequestOfSide,
  type RequestsOfSides,
  type StageUse,
} from '../stage.ts';
import { usedStages } from '../stages.ts';
import { plansOfResults } from './compared-households.ts';
import { bucketOfHere } from './bucket-of-side.ts';
import { queryOfThere, type Side, sides } from './sides.ts';

/** Both sides with what the stages add to their results; undefined if nothing is compared. */
export function requestsOfSides(query: AggregateMetricQuery): RequestsOfSides | undefined {
  if (query.report?.compare === undefined) return undefined;
  const ofThere = queryOfThere(query);
  const here = askedOf(query);
  const usedHere = usedStages(here);
  if (ofThere === undefined) return { here: { asked: here, uses: usedHere } };
  const there = askedOf(ofThere);
  const usedThere = usedStages(there);
  return {
    here: { asked: here, uses: withFlagsOf(usedThere, usedHere) },
    there: {
      asked: there,
      uses: [
        ...withFlagsOf(usedHere, usedThere),
        // The stage of comparisons is part of this side only: the metadata of the other one must have the plans too.
        { results: plansOfResults(query, there.form) ?? {} },
      ],
    },
  };
}

/** A window or a filter of only one side is a flag there: all results of the other side have it. */
function withFlagsOf(others: readonly StageUse[], own: readonly StageUse[]): readonly StageUse[] {
  const names = new Set(flagsOf(own));
  const missing = flagsOf(others).filter((name) => !names.has(name));
  return [...own, { results: { flags: missing.map((name) => as('1', name)) } }];
}

/** The results of the sides. `columns`: besides the side and the bucket. */
export function resultsOfSides(
  { here, there }: RequestsOfSides,
  query: AggregateMetricQuery,
  columns: readonly Column[],
): Step {
  const { bucket, shownAs } = aggregationDefinition(query.aggregation);
  const resultsOf = (side: Side, { asked, uses }: RequestOfSide, ofBucket?: Expression) =>
    resultsStep(asked, uses, splitsOf(asked), [
      as(String(sides[side]), 'side'),
      ...(ofBucket === undefined ? [] : [as(ofBucket, 'bucket')]),
      ...columns,
    ]);
  const splitsOf = ({ form }: Asked) =>
    query.splits.map((field, i) => splitColumn(field, i, { ...splitForm(query), metadata: form }));
  const own = resultsOf('here', here, bucket);
  if (there === undefined) return own;
  const shifts = query.report?.compare?.shifts ?? [];
  const other = resultsOf('there', there, bucket && bucketOfHere(bucket, shifts, shownAs));
  const byName = new Map(other.select.columns.map((column) => [nameOf(column), column]));
  const aligned = own.select.columns.map((column) => byName.get(nameOf(column)) ?? column);
  return {
    ...own,
    why: `${own.why ?? ''}\nThen those that they are compared with, in the buckets of the request.`,
    select: { ...own.select, unionAll: { ...other.select, columns: aligned } },
  };
}
