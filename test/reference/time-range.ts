/** Whether a result is in the `time` range of a request. Both ends are inclusive, to the second. */
export function isWithin(
  time: { readonly from: string; readonly to: string },
  result: { readonly utcMs: number; readonly localMs: number },
  now: Date,
): boolean {
  const second = (ms: number) => Math.floor(ms / 1000);
  const [from, to] = [boundOf(time.from, now, '00:00:00'), boundOf(time.to, now, '23:59:59')];
  const seen = (bound: Bound) => second(bound.isLocal ? result.localMs : result.utcMs);
  return seen(from) >= second(from.ms) && seen(to) <= second(to.ms);
}

/** The two ends of a range; of a local time as if it were UTC. */
export function rangeBoundsMs(
  time: { readonly from: string; readonly to: string },
  now: Date,
): readonly number[] {
  return [boundOf(time.from, now, '00:00:00').ms, boundOf(time.to, now, '23:59:59').ms];
}

interface Bound {
  readonly isLocal: boolean;
  readonly ms: number;
}

const dayMs = 86_400_000;

function boundOf(text: string, now: Date, timeOfDay: string): Bound {
  const day = text === 'last monday' ? lastMonday(now) : /^\d{4}-\d\d-\d\d$/.exec(text)?.[0];
  if (day !== undefined) return { isLocal: true, ms: Date.parse(`${day}T${timeOfDay}Z`) };
  const clock = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d)(:\d\d)?$/.exec(text);
  if (clock !== null) {
    return { isLocal: true, ms: Date.parse(`${clock[1]!}T${clock[2]!}${clock[3] ?? ':00'}Z`) };
  }
  if (text === 'now') return { isLocal: false, ms: now.getTime() };
  const days = /^([+-]\d+) days$/.exec(text);
  if (days === null) throw new Error(`The reference does not support the time ${text}`);
  return { isLocal: false, ms: now.getTime() + Number(days[1]) * dayMs };
}

/** The nearest Monday before today in UTC, as `2026-01-31`. */
function lastMonday(now: Date): string {
  let ms = now.getTime() - (now.getTime() % dayMs) - dayMs;
  while (new Date(ms).getUTCDay() !== 1) ms -= dayMs;
  return new Date(ms).toISOString().slice(0, 10);
}
