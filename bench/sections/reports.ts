import type { Bench } from '../bench.ts';
import { queryRunner } from '../measure/query-runner.ts';
import type { Measurement } from '../measure/measurement.ts';
import { sideBySide } from '../measure/side-by-side.ts';
import { requestOver, type Shape } from '../panel/requests.ts';

/** The cost of typical reports, compared with the plain aggregate of the same results. */
export async function reports({ stack, panel, rounds, print }: Bench): Promise<Measurement[]> {
  const made = await panel();
  const runner = queryRunner(stack, made.tenant.dataToken);
  const measurements: Measurement[] = [];
  for (const [name, fields] of Object.entries(reportFields)) {
    const plain = { ...total, splits: fields.splits };
    const { firstMs, secondMs, ratio } = await sideBySide(
      rounds,
      () => runner.service(requestOver(made, { ...total, ...fields }, made.rows)),
      () => runner.service(requestOver(made, plain, made.rows)),
    );
    print(`${name}: ${firstMs.toFixed(0)} ms against ${secondMs.toFixed(0)} ms`);
    const target = { atMost: 2.5 };
    measurements.push({ section: 'reports', what: name, value: ratio, unit: '', target });
  }
  return measurements;
}

const total: Shape = {
  metric: 'httpget',
  chartType: 'aggregate',
  aggregation: 'total',
  normalised: false,
  prefilter: false,
};

const advertised = 'custom.advertised_download_mbps';

/** Each reads all results of the range, also if its window has only some of them. */
const reportFields: Readonly<Record<string, { splits: readonly string[] } & Partial<Shape>>> = {
  'FCC, percent of advertised': { method: 'fcc-2018', relativeTo: advertised, splits: [] },
  'FCC, percent of advertised, by ISP': {
    method: 'fcc-2018',
    relativeTo: advertised,
    splits: ['isp'],
  },
  'ACCC, percent of plan': { method: 'accc', splits: [] },
  'ACCC, percent of plan, by ISP': { method: 'accc', splits: ['isp'] },
  'Ofcom, weighted households': { method: 'ofcom-2021', splits: [] },
  'weighted medians of households, by ISP': {
    household: { statistic: 'median' },
    weight: 'custom.weight',
    splits: ['isp'],
  },
  'consistent 80/80 and shares of households': {
    household: { statistic: 'mean' },
    consistent: { households: 20, results: 20 },
    shares: [30, 100, 300],
    splits: [],
  },
  'percent of advertised of all results, with shares': {
    relativeTo: advertised,
    shares: { thresholds: [80, 100], of: 'results' },
    splits: [],
  },
  'trimmed means of households over the whole range': {
    household: { statistic: 'trimmedMean' },
    splits: [],
  },
  'intervals of all results by household': { householdIntervals: true, splits: [] },
};
