import { as, step, type Step } from '../../../shared/sql/select.ts';
import type { Plan } from '../stage.ts';
import { sides } from './sides.ts';

// `to: "rest"` compares each series with all others. Rows are copied to them: of results, or of households, which are fewer.

/** The side of a household with all its results, until it is copied to the rest of the series that it is not in. */
const ofAllSeries = 3;

/**
 * For a household with several series, also its results without those of one of them, for the rest of that series; and all
 * of them, for the rest of the series that it is not in.
 */
export function resultsOfRest(plan: Plan): readonly Step[] {
  const own = seriesOf(plan);
  return [
    step('series_of_households', 'The series that a household has results in.', {
      columns: ['*', as(`groupUniqArray(${own})\n    ${overHousehold(plan)}`, 'own_series')],
    }),
    step('results_of_rest', 'The results of a household also without those of one of its series.', {
      ...copied(
        plan,
        [
          `[(${sides.here}, ${own})]`,
          `if(length(own_series) = 1, [], [(${ofAllSeries}, own_series[1])])`,
          toRestOf(`sipHash64(other) != sipHash64(${own})`, 'own_series'),
        ],
        ['own_series'],
      ),
    }),
  ];
}

/** The households of each series, and of all others together. */
export function householdsOfRest(plan: Plan): readonly Step[] {
  const own = seriesOf(plan);
  const isHere = `side = ${sides.here}`;
  const ids = `groupUniqArrayIf(sipHash64(${own}), ${isHere})\n    ${overHousehold(plan)}`;
  const isInAll = `side = ${ofAllSeries} OR (${isHere} AND length(own_ids) = 1)`;
  const isOfPoint = `${isHere} OR (side = ${sides.there}
            AND has(arrayMap(one -> sipHash64(one), all_series), sipHash64(${own})))`;
  return [
    step('all_series', 'The series of the answer, and those of each household.', {
      columns: [
        '*',
        as(`groupUniqArrayIf(${own}, ${isHere} AND row_count > 0) OVER ()`, 'all_series'),
        as(ids, 'own_ids'),
      ],
    }),
    step('with_rest', 'The households of each series, and of all others together.', {
      ...copied(
        plan,
        [
          `if(${isOfPoint}, [(side, ${own})], [])`,
          `if(${isInAll},
            ${toRestOf('NOT has(own_ids, sipHash64(other))', 'all_series')}, [])`,
        ],
        ['all_series', 'own_ids'],
      ),
    }),
  ];
}

/** The results of each series, and of all others together. */
export function pointsOfRest(plan: Plan): readonly Step[] {
  const own = seriesOf(plan);
  return [
    step('all_series', 'The series of the answer.', {
      columns: ['*', as(`groupUniqArray(${own}) OVER ()`, 'all_series')],
    }),
    step('with_rest', 'The results of each series, and of all others together.', {
      ...copied(
        plan,
        [
          `[(${sides.here}, ${own})]`,
          toRestOf(`sipHash64(other) != sipHash64(${own})`, 'all_series'),
        ],
        ['all_series'],
      ),
    }),
  ];
}

function seriesOf({ splits }: Plan): string {
  return `tuple(${splits.map(({ key }) => key).join(', ')})`;
}

function overHousehold({ assumedKey, bucketKey }: Plan): string {
  return `OVER (PARTITION BY ${[...assumedKey, ...bucketKey, 'agent_key'].join(', ')})`;
}

function toRestOf(condition: string, series: string): string {
  return `arrayMap(other -> (${sides.there}, other), arrayFilter(
            other -> ${condition}, ${series}))`;
}

/** A row for each pair of a side and a series. `dropped`: columns that are not needed after it. */
function copied({ splits }: Plan, pairs: readonly string[], dropped: readonly string[]) {
  const keys = splits.map(({ key }, i) => `copy.2.${i + 1} AS ${key}`);
  return {
    define: [as(`arrayJoin(arrayConcat(\n        ${pairs.join(',\n        ')}))`, 'copy')],
    columns: [
      `* EXCEPT (${dropped.join(', ')}) REPLACE (\n    ${['copy.1 AS side', ...keys].join(',\n    ')})`,
    ],
  };
}
