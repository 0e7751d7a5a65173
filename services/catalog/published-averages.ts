/** A value of a unit over a period, besides speed, latency and outages: a column of the test `panel` and its metric. */
export interface PublishedAverage {
  readonly column: string;
  readonly kind: 'speed' | 'delay' | 'load' | 'percent';
  /** Of its metric: `Packet loss in busy hours`. */
  readonly name: string;
  /** `Packet loss of a unit over the busy hours of a period` */
  readonly about: string;
  readonly keywords: readonly string[];
  /** Which of two values is better for the household; null if neither is. */
  readonly better: 'higher' | 'lower' | null;
}

type InAllAndBusyHours = Omit<PublishedAverage, 'name' | 'about'> & {
  readonly name: string;
  readonly what: string;
};

const dns = ['name resolution', 'resolver', 'lookup'];
const lower = { better: 'lower' } as const;

const inAllAndBusyHours: readonly InAllAndBusyHours[] = [
  ofLine('packet_loss', 'percent', 'Packet loss', ['line quality', 'reliability']),
  ...Object.entries({ up: 'upstream', down: 'downstream' }).map(([direction, word]) =>
    ofLine(
      `jitter_${direction}_mean`,
      'delay',
      `Jitter, ${word}`,
      ['delay variation', 'voip', 'call quality'],
      `Mean ${word} jitter`,
    ),
  ),
  ofLine('dns_mean', 'delay', 'DNS response time', dns, 'Mean DNS response time'),
  ofLine('dns_failure', 'percent', 'DNS failures', dns, 'DNS failure rate'),
  ofLine(
    'web_mean',
    'load',
    'Web page load time',
    ['browsing', 'website'],
    'Mean web page load time',
  ),
  ...Object.entries({ youtube: 'YouTube', netflix: 'Netflix', iplayer: 'BBC iPlayer' }).flatMap(
    ([service, title]) => streaming(service, title),
  ),
];

export const publishedAverages: readonly PublishedAverage[] = [
  ...inAllAndBusyHours.flatMap(({ name, what, ...average }) => [
    { ...average, name, about: `${what} of a unit over all hours of a period` },
    {
      ...average,
      column: `busy_${average.column}`,
      name: `${name} in busy hours`,
      about: `${what} of a unit over the busy hours of a period`,
    },
  ]),
  ...(['download', 'upload'] as const).flatMap((direction) =>
    (['mean', 'median'] as const).map((statistic) => underLoad(direction, statistic)),
  ),
  ...[0, 6, 12, 18, 19, 20, 21, 22, 23, 24].flatMap((from, i, hours) => {
    const to = hours[i + 1];
    return to === undefined ? [] : [downloadBetween(from, to)];
  }),
];

function ofLine(
  column: string,
  kind: PublishedAverage['kind'],
  name: string,
  keywords: readonly string[],
  what: string = name,
): InAllAndBusyHours {
  return { column, kind, name, what, keywords, ...lower };
}

/** The shares of videos by their quality, and the time until they start. */
function streaming(service: string, title: string): readonly InAllAndBusyHours[] {
  const keywords = ['video', 'streaming'];
  const share = (of: string, name: string, better: PublishedAverage['better']) => ({
    column: `${service}_${of}`,
    kind: 'percent' as const,
    name: `${title} ${name}`,
    what: `${title} ${name}`,
    keywords,
    better,
  });
  return [
    share('uhd', 'UHD share', 'higher'),
    // More of these is better or worse, depending on what there is less of.
    share('hd', 'HD share', null),
    share('sd', 'SD share', null),
    share('failed', 'failure rate', 'lower'),
    {
      column: `${service}_startup`,
      kind: 'load',
      name: `${title} start-up time`,
      what: `Mean ${title} start-up time`,
      keywords: [...keywords, 'delay'],
      ...lower,
    },
  ];
}

function underLoad(
  direction: 'download' | 'upload',
  statistic: 'mean' | 'median',
): PublishedAverage {
  const [kind, word] = statistic === 'mean' ? ['', 'Mean'] : [', median', 'Median'];
  return {
    column: `latency_${direction}_${statistic}`,
    kind: 'delay',
    name: `Latency under ${direction} load${kind}`,
    about: `${word} round trip of a unit during ${direction}s in a period`,
    keywords: ['latency under load', 'bufferbloat', 'working latency', 'rtt'],
    ...lower,
  };
}

function downloadBetween(from: number, to: number): PublishedAverage {
  return {
    column: `download_${from}to${to}`,
    kind: 'speed',
    name: `Download speed, ${from} to ${to} h`,
    about: `Mean download speed of a unit from ${from} to ${to} h, local time, over a period`,
    keywords: ['broadband speed', 'throughput', 'hour of day', 'time of day'],
    better: 'higher',
  };
}
