import type { MetricDefinition, MetricDefinitions } from '../metric-definition.ts';
import {
  all,
  isMostlySuccessful,
  isPlausibleLoad,
  isPositiveUpTo,
  leftHomeNetwork,
  mbps,
  milliseconds,
  seconds,
  valueOfSuccess,
} from '../metric-terms.ts';

const phoneFields = ['ip_version', 'operating_system'];
/** Phones have no test schedule: every hour is a block. */
const phone = { ...valueOfSuccess, everyHours: 1, ownFields: phoneFields } as const;

const mobileDownload: MetricDefinition = {
  ...phone,
  test: 'mobile_download',
  ownFields: [...phoneFields, 'threads'],
  isPlausible: isPositiveUpTo('bytes_sec', 2_500_000_000),
  value: mbps('bytes_sec'),
};

export const mobileMetrics: MetricDefinitions = {
  mobileDownload,
  mobileUpload: { ...mobileDownload, test: 'mobile_upload' },
  mobileLatency: {
    ...phone,
    test: 'mobile_latency',
    isPlausible: all(isMostlySuccessful, leftHomeNetwork, (c) => Number(c.rtt_avg) <= 10_000_000),
    value: milliseconds('rtt_avg'),
  },
  mobileWww: {
    ...phone,
    test: 'mobile_www',
    isPlausible: isPlausibleLoad,
    value: seconds('fetch_time'),
  },
  mobileYoutube: {
    ...phone,
    test: 'mobile_youtube',
    ownFields: [...phoneFields, 'resolution'],
    isPlausible: isPositiveUpTo('bitrate', 125_000_000),
    value: mbps('bitrate'),
  },
};
