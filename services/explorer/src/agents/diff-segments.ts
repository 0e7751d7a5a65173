import type {
  AgentChange,
  AgentMetadata,
  MetadataPeriod,
} from '../../../../openapi/client/index.ts';

export type ChangedPeriods = Pick<AgentChange, 'replaced' | 'recorded'>;

/** A time in which the same fields changed in the same way. */
interface DiffSegment {
  readonly from: string | null;
  readonly to: string | null;
  readonly fields: readonly FieldDiff[];
}

/** What a change did, newest first: its periods are cut where those before it begin and end. */
export function diffSegments({ replaced, recorded }: ChangedPeriods): readonly DiffSegment[] {
  const segments = recorded.flatMap((after) => {
    const cuts = replaced.flatMap(({ from, to }) => [from, to]);
    return split(after, cuts).map(({ from, to }) => ({
      from,
      to,
      fields: changedFields(periodAt(replaced, from), after),
    }));
  });
  return segments
    .filter(({ fields }) => fields.length > 0)
    .sort((a, b) => startMs(b) - startMs(a))
    .reduce<readonly DiffSegment[]>(joined, []);
}

type Range = Pick<MetadataPeriod, 'from' | 'to'>;

export function startMs({ from }: Pick<Range, 'from'>): number {
  return from === null ? -Infinity : Date.parse(from);
}

function endMs({ to }: Pick<Range, 'to'>): number {
  return to === null ? Infinity : Date.parse(to);
}

/** The parts of a range between the times in it, oldest first. */
export function split(range: Range, times: readonly (string | null)[]): readonly Range[] {
  const inside = times.filter(
    (time): time is string =>
      time !== null && Date.parse(time) > startMs(range) && Date.parse(time) < endMs(range),
  );
  const cuts = [...new Set(inside)].sort((a, b) => Date.parse(a) - Date.parse(b));
  const starts = [range.from, ...cuts];
  return starts.map((from, i) => ({ from, to: starts[i + 1] ?? range.to }));
}

/** The period that contains a time; null is the beginning of time. */
export function periodAt<P extends Range>(
  periods: readonly P[],
  time: string | null,
): P | undefined {
  const ms = startMs({ from: time });
  return periods.find((period) => startMs(period) <= ms && ms < endMs(period));
}

/** Joins a segment to the next later one if both say the same. */
function joined(later: readonly DiffSegment[], segment: DiffSegment): readonly DiffSegment[] {
  const last = later.at(-1);
  if (last === undefined) return [segment];
  const isSame =
    segment.to === last.from && JSON.stringify(segment.fields) === JSON.stringify(last.fields);
  return isSame ? [...later.slice(0, -1), { ...last, from: segment.from }] : [...later, segment];
}

/** Names and values of all fields, in the order in which they are shown. */
export function metadataEntries(
  metadata: AgentMetadata,
): readonly (readonly [string, string | null])[] {
  return [
    ['ISP', metadata.isp],
    ['Package', metadata.package],
    ['Time zone', metadata.timezone],
    ...Object.entries(metadata.custom).map(([key, value]) => [key, String(value)] as const),
  ];
}

export interface FieldDiff {
  readonly field: string;
  /** null: no value. */
  readonly before: string | null;
  readonly after: string | null;
}

/** The fields with another value than before. */
export function changedFields(
  before: AgentMetadata | undefined,
  after: AgentMetadata,
): readonly FieldDiff[] {
  const old = new Map(before === undefined ? [] : metadataEntries(before));
  const now = new Map(metadataEntries(after));
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((field) => {
    const [was, is] = [old.get(field) ?? null, now.get(field) ?? null];
    return was === is ? [] : [{ field, before: was, after: is }];
  });
}
