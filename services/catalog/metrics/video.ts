import { metric, type Metric } from '../metric.ts';

// 1 Gbit/s: ten times what the best stream needs.
const plausibleBitrate = 'bitrate > 0 AND bitrate <= 125000000';
const ownFields = ['ip_version', 'resolution'];

/** Streaming from YouTube and Netflix. */
export const videoMetrics: readonly Metric[] = [
  metric({
    key: 'youtubeBitrate',
    name: 'YouTube bit rate',
    keywords: ['video', 'streaming'],
    unit: 'mbps',
    better: 'higher',
    description: 'Media bit rate at which YouTube plays without stopping',
    test: 'youtube',
    value: 'bitrate * 8 / 1e6',
    prefilterRule: 'keeps bit rates above 0 and up to 1 Gbit/s',
    prefilter: plausibleBitrate,
    everyHours: 2,
    ownFields,
  }),
  metric({
    key: 'youtubeStartup',
    name: 'YouTube start-up time',
    keywords: ['video', 'streaming', 'delay'],
    unit: 's',
    better: 'lower',
    description: 'Time from the request to the first picture of a YouTube video',
    test: 'youtube',
    value: 'startup_delay / 1e6',
    // 0: not measured, as in the FCC's releases.
    existsWhen: 'successes > 0 AND startup_delay != 0',
    prefilterRule: 'keeps delays above 0 and up to 60 s',
    prefilter: 'startup_delay > 0 AND startup_delay <= 60000000',
    everyHours: 2,
    ownFields,
  }),
  metric({
    key: 'netflixBitrate',
    name: 'Netflix bit rate',
    keywords: ['video', 'streaming'],
    unit: 'mbps',
    better: 'higher',
    description: 'Highest media bit rate the line sustains from Netflix',
    test: 'netflix',
    value: 'bitrate * 8 / 1e6',
    prefilterRule: 'keeps bit rates above 0 and up to 1 Gbit/s',
    prefilter: plausibleBitrate,
    everyHours: 2,
    ownFields,
  }),
];
