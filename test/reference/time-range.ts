/** Whether a result is in the `time` range of a request. Both ends are inclusive, to the second. */
export function isWithin(
  time: { readonly from: string; readonly to: string },
  result: { readonly utcMs: number; readonly localMs: number },
  now: Date,
): boolean {
  const second = (ms: number) => Math.floor(ms / 1000);
  const [from, to] = [boundOf(time.from, now), boundOf(time.to, now)];
  const seen = (bound: Bound) => second(bound.isLocal ? result.localMs : result.utcMs);
  return seen(from) >= second(from.ms) && seen(to) <= second(to.ms);
}

interface Bound {
  readonly isLocal: boolean;
  readonly ms: number;
}

const dayMs = 86_400_000;

function boundOf(text: string, now: Date): Bound {
  const clock = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d)(:\d\d)?$/.exec(text);
  if (clock !== null) {
    return { isLocal: true, ms: Date.parse(`${clock[1]!}T${clock[2]!}${clock[3] ?? ':00'}Z`) };
  }
  if (text === 'now') return { isLocal: false, ms: now.getTime() };
  if (text === 'last monday') return { isLocal: false, ms: lastMondayMs(now) };
  const days = /^([+-]\d+) days$/.exec(text);
  if (days === null) throw new Error(`The reference does not support the time ${text}`);
  return { isLocal: false, ms: now.getTime() + Number(days[1]) * dayMs };
}

/** Midnight of the nearest Monday before today, UTC. */
function lastMondayMs(now: Date): number {
  let ms = now.getTime() - (now.getTime() % dayMs) - dayMs;
  while (new Date(ms).getUTCDay() !== 1) ms -= dayMs;
  return ms;
}
