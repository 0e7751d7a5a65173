import type { MetricDefinition, MetricDefinitions } from '../metric-definition.ts';
import { all, isPositiveUpTo, mbps, seconds, succeeded, valueOfSuccess } from '../metric-terms.ts';

const youtubeBitrate: MetricDefinition = {
  ...valueOfSuccess,
  test: 'youtube',
  everyHours: 2,
  ownFields: ['ip_version', 'resolution'],
  isPlausible: isPositiveUpTo('bitrate', 125_000_000),
  value: mbps('bitrate'),
};

export const videoMetrics: MetricDefinitions = {
  youtubeBitrate,
  youtubeStartup: {
    ...youtubeBitrate,
    // Devices that do not measure it send 0.
    exists: all(succeeded, (c) => Number(c.startup_delay) !== 0),
    isPlausible: isPositiveUpTo('startup_delay', 60_000_000),
    value: seconds('startup_delay'),
  },
  netflixBitrate: { ...youtubeBitrate, test: 'netflix' },
};
