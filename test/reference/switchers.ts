import { fieldValue } from './field-value.ts';
import { groupBy } from './group-by.ts';
import { dayOf, type Result } from './result.ts';
import { distinct } from './weights.ts';

/** The results that `switchers` keeps. */
export function keptResults(
  all: readonly Result[],
  switchers: 'asOf' | 'longest' | 'drop',
): ReadonlySet<Result> {
  if (switchers === 'asOf') return new Set(all);
  const kept = [...groupBy(all, ({ row }) => row.agent.agentId).values()].flatMap((own) => {
    const stays = [...groupBy(own, ({ row }) => stayOf(row)).values()];
    if (switchers === 'drop') return stays.length === 1 ? own : [];
    const lastEnd = (stay: readonly Result[]) =>
      Math.max(...stay.map(({ row }) => Math.floor(row.dtimeUtcMs / 1000)));
    const days = (stay: readonly Result[]) => distinct(stay.map(dayOf));
    return stays.toSorted((a, b) => days(b) - days(a) || lastEnd(b) - lastEnd(a))[0]!;
  });
  return new Set(kept);
}

/** The ISP and package of a household. None is a value, too. */
export function stayOf(row: Result['row']): string {
  return `${fieldValue(row, 'isp') ?? ''}\0${fieldValue(row, 'package') ?? ''}`;
}
