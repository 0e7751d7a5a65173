import type { MetricRequest } from './metric-request.ts';
import type { Series } from './result.ts';
import { rounded } from './rounded.ts';

/** Slowest when the network is busiest. Other metrics are highest then. */
const speeds = [
  'httpget',
  'httpget_sustained',
  'httppost_sustained',
  'panelDownload',
  'panelDownloadBusy',
  'panelUpload',
  'panelUploadBusy',
  'httpgetmt',
  'httppost',
  'httppostmt',
  'mobileDownload',
  'mobileUpload',
  'mobileYoutube',
  'youtubeBitrate',
  'netflixBitrate',
];

/** The second aggregation, over the points of each series. */
export function overBuckets(
  series: readonly Series[],
  { overBuckets: over, metric }: MetricRequest,
  splits: readonly string[],
): readonly Series[] {
  if (over === undefined) return series;
  return series.flatMap(({ metricData }) => {
    const points = metricData.filter(({ metricValue }) => metricValue !== null);
    if (points.length === 0) return splits.length === 0 ? [{ metricData: [] }] : [];
    const valueOf = (one: (typeof points)[number]) => rounded(Number(one.metricValue));
    if (over !== 'busiest' && 'atLeast' in over) {
      const reached = points.filter((one) => valueOf(one) >= rounded(over.atLeast)).length;
      const values = Object.fromEntries(splits.map((split) => [split, points[0]![split]]));
      const [bucketShare, bucketCount] = [reached / points.length, points.length];
      return [{ metricData: [{ ...values, bucketShare, bucketCount }] }];
    }
    const sign = speeds.includes(metric) ? 1 : -1;
    const worst = points.toSorted((a, b) => sign * (valueOf(a) - valueOf(b)))[0]!;
    return [{ metricData: [worst] }];
  });
}
