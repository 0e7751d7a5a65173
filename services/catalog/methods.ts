import type { Metric } from './metric.ts';

/** How a regulator computes its statistics, as fields of a request. */
export interface Method {
  readonly key: string;
  readonly name: string;
  /** Where the regulator describes it. */
  readonly source: string;
  readonly description: string;
  /** `asked`: the fields that the request splits or filters by. */
  readonly fields: (
    metric: MeasuredMetric,
    asked: readonly string[],
  ) => Readonly<Record<string, unknown>>;
}

/** What a method depends on, which the listing of metrics has too. */
interface MeasuredMetric {
  readonly key: string;
  readonly unit: string;
  readonly better: Metric['better'];
  readonly test: string;
  readonly measure: Pick<Metric['measure'], 'kind'>;
}

const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri'];

export const methods: readonly Method[] = [
  {
    key: 'fcc-2018',
    name: 'FCC, Measuring Broadband America 2018',
    source: 'FCC: Eighth Measuring Broadband America Fixed Broadband Report, technical appendix',
    description:
      'Monday to Friday, 19 to 23 h. The mean of each household, without its lowest and highest percent over the whole range (delays and counts: only the highest; rates: all results), of speeds as a percentage of `custom.advertised_download_mbps` or `custom.advertised_upload_mbps`, which `netpanel load-mba` reads from the FCC’s unit profile. The shorter stay of a household that changed its ISP or package is left out, points have at least 25 households, and `consistent` is 80/80: what 80 % of the households have in 80 % of their results, at least of a speed and at most of a delay or a rate. Data usage and hops have none.',
    fields: (metric) => ({
      window: { days: weekdays, hours: [19, 20, 21, 22] },
      household: withTrim(metric, 'range'),
      ...relativeToPlan(metric),
      switchers: 'longest',
      ...consistentFor80Of80(metric),
      minAgents: 25,
    }),
  },
  {
    key: 'accc',
    name: 'ACCC, Measuring Broadband Australia',
    source: 'ACCC: Measuring Broadband Australia, report 18, methodology',
    description:
      'Monday to Friday, 19 to 23 h. The mean of each household without its lowest and highest percent, of speeds as a percentage of `custom.advertised_download_mbps` or `custom.advertised_upload_mbps`. All households have equal weight.',
    fields: (metric) => ({
      window: { days: weekdays, hours: [19, 20, 21, 22] },
      household: { statistic: 'mean', trim: [1, 99], trimOver: 'window' },
      ...relativeToPlan(metric),
    }),
  },
  {
    key: 'ofcom-2021',
    name: 'Ofcom, UK Home Broadband Performance 2021',
    source: 'Ofcom: UK Home Broadband Performance, technical report',
    description:
      'Monday to Friday, 20 to 22 h. The mean of each household, with the weight `custom.weight`; Ofcom publishes the median of the households and the interval `ci95`.',
    fields: () => ({
      window: { days: weekdays, hours: [20, 21] },
      household: { statistic: 'mean' },
      weight: 'custom.weight',
    }),
  },
  {
    key: 'ofcom-2023',
    name: 'Ofcom, UK Home Broadband Performance 2023',
    source: 'Ofcom: UK Home Broadband Performance, March 2023, technical report and panellist data',
    description:
      'The mean of each household, and weighted medians over households with `percentileRule` `lower`. The weight is that of the question: `custom.weight_isp` with a split or filter by `isp` or `package`, otherwise `custom.weight_rural` with one by `custom.urban_rural`, otherwise `custom.weight`. National and urban/rural figures are of all hours, such as `panelDownload`; those of ISPs and packages are of Monday to Friday, 20 to 22 h, such as `panelDownloadBusy`.',
    fields: (_metric, asked) => {
      const ofProviders = asked.includes('isp') || asked.includes('package');
      const ofAreas = asked.includes('custom.urban_rural')
        ? 'custom.weight_rural'
        : 'custom.weight';
      return {
        ...(ofProviders && { window: { days: weekdays, hours: [20, 21] } }),
        household: { statistic: 'mean' },
        weight: ofProviders ? 'custom.weight_isp' : ofAreas,
        percentileRule: 'lower',
      };
    },
  },
];

/** The fields of a method for a metric. Published averages are already of households and hours. */
export function methodFields(
  { fields }: Method,
  metric: MeasuredMetric,
  asked: readonly string[],
): Readonly<Record<string, unknown>> {
  // A method is of results, and is refused with published percentiles.
  if (metric.test === 'cells') return {};
  const all = fields(metric, asked);
  if (metric.test !== 'panel') return all;
  const { relativeTo, weight, minAgents, percentileRule } = all;
  const kept = Object.entries({ relativeTo, weight, minAgents, percentileRule }).filter(
    ([, value]) => value,
  );
  return { ...Object.fromEntries(kept), household: { statistic: 'mean' } };
}

// A rate is the ratio of the household's sums, which needs all its results.
function withTrim({ better, measure }: MeasuredMetric, trimOver: 'range' | 'window'): object {
  if (measure.kind === 'ratio') return { statistic: 'mean' };
  return { statistic: 'mean', trim: [better === 'lower' ? null : 1, 99], trimOver };
}

/** The value that 80 % of the households have in 80 % of their results, or a better one. */
function consistentFor80Of80({ better }: MeasuredMetric): object {
  if (better === null) return {};
  const percent = better === 'higher' ? 20 : 80;
  return { consistent: { households: percent, results: percent } };
}

/** In percent of the advertised speed. Loaders and presets store it in these fields. */
function relativeToPlan({ unit, key }: MeasuredMetric): object {
  if (unit !== 'mbps') return {};
  if (/download|httpget/i.test(key)) {
    return { relativeTo: { field: 'custom.advertised_download_mbps' } };
  }
  if (/upload|httppost/i.test(key)) {
    return { relativeTo: { field: 'custom.advertised_upload_mbps' } };
  }
  return {};
}
