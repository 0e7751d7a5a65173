import { as, step } from '../../../shared/sql/select.ts';
import { reaches } from '../conditions.ts';
import { numberColumn } from '../number-columns.ts';
import type { Stage } from '../stage.ts';
import { hasValues } from './privacy-floor.ts';

/** From all buckets of a series to one point. Suppressed buckets do not count. */
export const overBuckets: Stage = {
  name: 'overBuckets',
  of({ query, report, floor }) {
    if (report?.overBuckets === undefined) return undefined;
    const asked = report.overBuckets;
    const where = [hasValues(report, floor)];
    const dependsOn = ['other buckets'] as const;
    if (asked.kind === 'share') {
      const share = `countIf(${reaches('mean', asked.atLeast)}) / bucket_count`;
      const why = 'One row per series: the share of its buckets that reach the value.';
      return {
        dependsOn,
        steps: ({ splits }) => {
          const groupBy = splits.map(({ key }) => key);
          const columns = [...groupBy, as('count()', 'bucket_count'), as(share, 'bucket_share')];
          const having = 'bucket_count > 0';
          return [step('over_buckets', why, { columns, where, groupBy, having })];
        },
        points: {
          only: [
            numberColumn('bucketShare', 'bucket_share'),
            numberColumn('bucketCount', 'bucket_count'),
          ],
        },
      };
    }
    // A network is slowest when it is busiest; delays, losses and traffic are highest.
    const order = query.metric.better === 'higher' ? 'round(mean, 9)' : 'round(mean, 9) DESC';
    return {
      dependsOn,
      steps: ({ splits }) => [
        step('over_buckets', 'One row per series: its bucket with the worst mean.', {
          columns: ['*'],
          where,
          orderBy: [order, 'bucket'],
          limit: splits.length === 0 ? '1' : `1 BY ${splits.map(({ key }) => key).join(', ')}`,
        }),
      ],
    };
  },
};
