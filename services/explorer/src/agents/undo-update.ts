import type { AgentChange, MetadataPeriod } from '../../../../openapi/client/index.ts';
import type { AgentUpdate, Newest } from '../api/metadata-api.ts';
import { periodAt, split, startMs } from './diff-segments.ts';

/** The request that undoes a change, or why it cannot be undone. */
export type Undo = { readonly update: AgentUpdate } | { readonly reason: string };

const tooLarge = 'It is too large to undo here.';
const maxBackdateMs = 28 * 86_400_000;

/** The maximum of PUT /metadata. */
const maxSteps = 51;

/**
 * The request that restores the values that the last change of an agent replaced. Each step, usually only one, sets all
 * values from a time on, the earliest first. The service applies all steps or none.
 */
export function undoUpdate(
  change: AgentChange,
  history: Newest<MetadataPeriod>,
  nowMs: number,
): Undo {
  if (!change.isComplete || !history.isComplete) return { reason: tooLarge };
  const since = Math.min(...change.recorded.map(startMs));
  if (since < nowMs - maxBackdateMs) {
    return { reason: 'It takes effect more than 28 days ago, so it cannot be undone.' };
  }
  const { replaced, recorded } = change;
  const periods = [...replaced, ...recorded, ...history.items];
  const cuts = periods.flatMap(({ from, to }) => [from, to]);
  const parts = split({ from: new Date(since).toISOString(), to: null }, cuts).map(({ from }) => ({
    fromMs: startMs({ from }),
    // Outside of the change's own periods the current values stay.
    values: valuesOf(
      periodAt(periodAt(recorded, from) === undefined ? history.items : replaced, from),
    ),
  }));
  const differing = parts.filter(
    ({ values }, i) => i === 0 || JSON.stringify(values) !== JSON.stringify(parts[i - 1]?.values),
  );
  if (differing.some(({ fromMs }) => fromMs > nowMs)) {
    return { reason: 'It has values for the future, so it cannot be undone here.' };
  }
  const [first, ...following] = differing.map(({ fromMs, values }) => ({
    metadata: values,
    overwrite_all: true,
    backdate_from: fromMs / 1000,
  }));
  if (first === undefined || differing.length > maxSteps) return { reason: tooLarge };
  return { update: following.length === 0 ? first : { ...first, followed_by: following } };
}

function valuesOf(period: MetadataPeriod | undefined): AgentUpdate['metadata'] {
  if (period === undefined) return {};
  const { isp, package: name, timezone, custom } = period;
  return {
    // An ISP without a package is written with a colon.
    ...(isp === null ? {} : { package: name ?? `${isp}:` }),
    ...(timezone === null ? {} : { timezone }),
    ...(Object.keys(custom).length === 0 ? {} : { custom }),
  };
}
