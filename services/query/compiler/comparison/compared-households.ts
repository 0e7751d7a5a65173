import { as, type Column, step, type Step } from '../../../shared/sql/select.ts';
import type { AggregateMetricQuery } from '../../request/metric-query.ts';
import { endedAtColumn, type MetadataForm } from '../field-value.ts';
import {
  arrayOf,
  type Asked,
  furtherValues,
  type Plan,
  type ResultsPart,
  type Stage,
} from '../stage.ts';
import { lastOfAgents, lastOfAgentsColumns } from '../stages/last-of-agents.ts';
import { levelOfMedian, reaches } from '../stages/percentile-intervals.ts';
import { hasWeights, partsOfHouseholds, totalWeight } from '../stages/sample.ts';
import { hasReplicates, partsOfReplicates } from '../stages/weight-replicates.ts';
import { householdsOfRest, pointsOfRest, resultsOfRest } from './rest.ts';
import { isOverTime, sideNames, sides } from './sides.ts';

/** What a comparison needs to know of each household: who it is, and for another time its last ISP and package. */
export const comparedHouseholds: Stage = {
  name: 'compared households',
  of(asked) {
    const { query, report, household, form } = asked;
    if (report?.compare === undefined || query.chartType === 'raw') return undefined;
    const plans = plansOfResults(query, form);
    const hasPlans = plans !== undefined;
    const isOfHouseholds = household !== undefined;
    const { toRest, agents } = report.compare;
    return {
      dependsOn: ['data beyond the range'],
      ...(plans && { results: plans }),
      household: {
        aggregates: (_, counted) => (hasPlans ? [as(lastPlan(counted), plan)] : []),
        columns: () => ['agent_key', ...(hasPlans ? [plan] : [])],
      },
      statistics: {
        ...(!isOfHouseholds && hasPlans && lastOfAgents(plan)),
        ...(isOfHouseholds && { ofHousehold: ['agent_key', ...(hasPlans ? [plan] : [])] }),
        before: (of) => [
          ...(toRest ? (isOfHouseholds ? householdsOfRest(of) : pointsOfRest(of)) : []),
          ...(agents === 'both' ? (isOfHouseholds ? bothOfHouseholds(of) : bothOfResults(of)) : []),
        ],
      },
      steps: (of) => (toRest && isOfHouseholds ? resultsOfRest(of) : []),
    };
  },
};

const plan = 'plan_key';

/** The ISP and package of each result on a side with this form of metadata; undefined if plans are not compared. */
export function plansOfResults(
  query: AggregateMetricQuery,
  form: MetadataForm,
): ResultsPart | undefined {
  if (!isOverTime(query)) return undefined;
  // The metadata of knownAt have no hash of the plan, so that both sides hash its text.
  const hasText = (query.knownAt ?? query.report?.compare?.there.knownAt) !== undefined;
  return {
    columns: [as(planOfResult(form, hasText), plan), endedAtColumn(form)],
    attributes: hasText ? ['isp', 'package'] : ['plan_hash'],
  };
}

/** A hash of ISP and package. */
function planOfResult(form: MetadataForm, hasText: boolean): string {
  const of = form === 'values' ? 'metadata.' : '';
  return hasText ? `sipHash64(ifNull(${of}isp, ''), ifNull(${of}package, ''))` : 'plan_hash';
}

function lastPlan(counted: string): string {
  return `argMaxIf(${plan}, ended_at,\n    ${counted})`;
}

/** Only the households of a point that count on both sides. */
function bothOfHouseholds(asked: Plan): readonly Step[] {
  const values = ['value', ...furtherValues(asked.uses).map(({ prefix }) => `${prefix}value`)];
  const replaced = [
    'is_on_both AS is_counted',
    ...(asked.hasHouseholdWeights
      ? []
      : values.map((name) => `if(is_on_both, ${name}, NULL) AS ${name}`)),
  ];
  return keptOnBoth(asked, 'is_counted', replaced);
}

/** Only the results of agents that have some on both sides. */
function bothOfResults(asked: Plan): readonly Step[] {
  const columns = [
    'value',
    ...(asked.query.metric.measure.kind === 'ratio' ? ['own_weight'] : []),
    ...(asked.hasFactors ? ['factor'] : []),
  ];
  const replaced = columns.map((name) => `if(is_on_both, ${name}, NULL) AS ${name}`);
  return keptOnBoth(asked, 'isNotNull(value)', replaced);
}

function keptOnBoth(
  { keys, sideKey }: Plan,
  isCounted: string,
  replaced: readonly string[],
): readonly Step[] {
  const household = [...keys.filter((key) => !sideKey.includes(key)), 'agent_key'];
  const isOn = (side: number) =>
    `max(${isCounted} AND side = ${side}) OVER (PARTITION BY ${household.join(', ')})`;
  return [
    step('on_both_sides', 'Whether a household counts on both sides.', {
      columns: ['*', as(`${isOn(sides.here)}\n    AND ${isOn(sides.there)}`, 'is_on_both')],
    }),
    step('both_sides', 'Only households that count on both sides.', {
      columns: [`* REPLACE (\n    ${replaced.join(',\n    ')})`],
    }),
  ];
}

/** The part of each household in the mean and the median of its side, as arrays in the order of `own_agents`. */
export const partsOfSides: Stage = {
  name: 'parts of compared households',
  of(asked) {
    const { query, household } = asked;
    if (query.chartType === 'raw' || asked.report?.compare === undefined) return undefined;
    const hasPlans = isOverTime(query);
    const ofSide = `if(agents < 2, 0, sqrt(agents / (agents - 1)))
        * if(side = ${sides.here}, 1, -1) / ${totalWeight(asked)}`;
    return {
      steps: () => [
        step('own_parts', 'The part of each household in the mean and the median of its side.', {
          columns: [
            '*',
            ...(hasPlans && household === undefined ? lastOfAgentsColumns(plan) : []),
            as(
              household === undefined ? 'arrayCompact(sorted_results.1)' : arrayOf('agent_key'),
              'own_agents',
            ),
            as(ofSide, 'own_factor'),
            ...densityOfMedian(asked),
            as('arrayWithConstant(length(own_agents), side)', 'own_sides'),
            as(partsOf(asked, 'x - ifNull(mean, 0)', 'own_factor'), 'mean_parts'),
            as(
              partsOf(asked, sharesUpToMedian(asked), '-own_factor / ifNull(median_density, 1)'),
              'median_parts',
            ),
            ...(hasPlans ? valuesOfSides(asked) : []),
            ...(hasReplicates(asked) ? replicatesOfSide(asked) : []),
          ],
        }),
      ],
    };
  },
};

/** Of each side, by replicate: a difference pairs them. */
function replicatesOfSide(asked: Asked): readonly Column[] {
  const { quantile, share } = medianOf(asked);
  const sign = `if(side = ${sides.here}, 1, -1)`;
  return [
    as(partsOfReplicates('x - ifNull(mean, 0)', sign), 'mean_replicates'),
    as(
      partsOfReplicates(
        `${reaches(quantile)} - ifNull(${share}, 0)`,
        `-${sign} / ifNull(median_density, 1)`,
      ),
      'median_replicates',
    ),
  ];
}

/** Of the values at the median, from Woodruff's interval. NULL if that has no width. */
function densityOfMedian(asked: Asked): readonly Column[] {
  const { interval, margin } = medianOf(asked);
  const width = `(${interval}[2] - ${interval}[1])`;
  return [as(`2 * ${margin} / if(${width} > 0, ${width}, NULL)`, 'median_density')];
}

function sharesUpToMedian(asked: Asked): string {
  return `${reaches(medianOf(asked).quantile)} - 0.5`;
}

function medianOf(asked: Asked) {
  const level = levelOfMedian(asked);
  if (level === undefined) throw new Error('A comparison has the interval of the median');
  return level;
}

function partsOf(asked: Asked, number: string, factor: string): string {
  return `arrayMap(z -> z * ${factor},
        ${partsOfHouseholds(asked, number)})`;
}

/** For each side the values and weights of its households, which are 0 on the other side, and the change of plan. */
function valuesOfSides(asked: Asked): readonly Column[] {
  const { values, weights } = valuesOfHouseholds(asked);
  const none = 'arrayWithConstant(length(own_agents), 0.)';
  return [
    ...sideNames.flatMap((name) => {
      const own = (list: string) => `if(side = ${sides[name]}, ${list}, ${none})`;
      return [as(own(values), `${name}_values`), as(own(weights), `${name}_weights`)];
    }),
    // Equal plans add up to 0.
    as(
      `arrayMap(key -> reinterpretAsInt64(key) * if(side = ${sides.here}, 1, -1), ${arrayOf(plan)})`,
      'plan_changes',
    ),
  ];
}

function valuesOfHouseholds(asked: Asked) {
  const isWeighted = hasWeights(asked);
  if (asked.household !== undefined) {
    return { values: 'xs', weights: isWeighted ? 'ws' : 'arrayWithConstant(length(xs), 1.)' };
  }
  return isWeighted
    ? {
        values: `arrayMap((own_xs, own_ws) -> arraySum((x, w) -> x * w, own_xs, own_ws) / arraySum(own_ws),
            values_of_agents, weights_of_agents)`,
        weights: 'arrayMap(own_ws -> arraySum(own_ws), weights_of_agents)',
      }
    : {
        values: 'arrayMap(own_xs -> arrayAvg(own_xs), values_of_agents)',
        weights: 'arrayMap(own_xs -> toFloat64(length(own_xs)), values_of_agents)',
      };
}
