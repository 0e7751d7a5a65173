import { columnNames, type TestTable } from './test-table.ts';

const phoneColumns = columnNames(`
  manufacturer model operating_system operating_system_version app_version geo_country
  connection_type cellular_technology carrier_name is_roaming cell_id signal_strength
`);

/** Of downloads and uploads. */
const transferColumns = columnNames(`
  target target_group address ip_version fetch_time bytes_total bytes_sec warmup_time
  warmup_bytes threads successes failures
`);

/** The tests of phones. */
export const phoneTables = {
  mobile_download: {
    key: 'mobile_download',
    name: 'Download speed, mobile',
    agents: 'mobile',
    description: 'Download speed of a phone',
    columns: [...phoneColumns, ...transferColumns],
    rowKey: ['target', 'threads', 'ip_version'],
  },
  mobile_latency: {
    key: 'mobile_latency',
    name: 'Latency, mobile',
    agents: 'mobile',
    description: 'Round trips, jitter and loss by UDP from a phone',
    columns: [
      ...phoneColumns,
      ...columnNames(`
      target target_group address ip_version rtt_avg rtt_min rtt_max rtt_std jitter
      successes failures
    `),
    ],
    rowKey: ['target', 'ip_version'],
  },
  mobile_upload: {
    key: 'mobile_upload',
    name: 'Upload speed, mobile',
    agents: 'mobile',
    description: 'Upload speed of a phone',
    columns: [...phoneColumns, ...transferColumns],
    rowKey: ['target', 'threads', 'ip_version'],
  },
  mobile_www: {
    key: 'mobile_www',
    name: 'Web page, mobile',
    agents: 'mobile',
    description: 'Loading of a web page on a phone',
    columns: [
      ...phoneColumns,
      ...columnNames(`
      target target_group address ip_version fetch_time bytes_total bytes_sec objects
      requests lookup_time connect_time ttfb successes failures
    `),
    ],
    rowKey: ['target', 'ip_version'],
  },
  mobile_youtube: {
    key: 'mobile_youtube',
    name: 'YouTube, mobile',
    agents: 'mobile',
    description: 'Video delivery from YouTube to a phone',
    columns: [
      ...phoneColumns,
      ...columnNames(`
      target target_group address ip_version video_id bitrate resolution downthrpt
      bytes_total duration connect_time startup_delay buffer_underruns buffer_delay
      successes failures
    `),
    ],
    rowKey: ['target', 'video_id', 'ip_version'],
  },
} as const satisfies Record<string, TestTable>;
