import { onceIn, type SampleTest } from '../sample-test.ts';
import { addressOf } from './targets.ts';

/** Values shared with the phones' test: the page, and its loading time. */
export const pageValues: Readonly<Record<string, string>> = {
  site: '1 + run_hash % 3',
  page_bytes: '[1800000, 3400000, 950000][site] * (0.95 + 0.1 * u1)',
  page_objects: '[48, 92, 21][site]',
  load_us:
    '(page_bytes / down * 1e6 * 1.6 + rtt_us * (6 + page_objects / 8)) * (1 + 0.25 * abs(noise))',
  // Faults: a page loaded in 20 ms, and one in 40 s.
  page_us:
    'toUInt64(multiIf(failed, 0, fault = 1, 20000, fault >= 2, 40000000, load_us * (1 + again / 100)))',
};

export const pageColumns = {
  target: "['www.news.example', 'www.shop.example', 'www.search.example'][site]",
  target_group: "'popular sites'",
  address: addressOf('230 + site', '4'),
  ip_version: '4',
  fetch_time: 'page_us',
  bytes_total: 'if(failed, 0, toUInt64(page_bytes))',
  bytes_sec: 'if(failed, 0, toInt64(page_bytes / greatest(page_us, 1) * 1e6))',
  objects: 'if(failed, 0, page_objects)',
  successes: 'NOT failed',
  failures: 'failed',
} as const;

export const webget: SampleTest = {
  key: 'webget',
  schedule: `kind IN ('whitebox', 'cpe') AND ${onceIn(6, 'webget')} OR kind = 'web' AND ${onceIn(12)}`,
  endsAfterS: 130,
  values: {
    ...pageValues,
    requests_made: 'if(failed, 0, page_objects + 1)',
    request_us: 'toUInt64(page_us / greatest(requests_made, 1) * 4)',
    first_byte_us: 'if(failed, 0, toUInt64(rtt_us * (1.6 + u2)))',
    lookup_us: 'if(failed, 0, toUInt64(rtt_us * (1 + u3)))',
  },
  columns: {
    ...pageColumns,
    threads: '8',
    requests: 'requests_made',
    connections: 'if(failed, 0, 8 + site)',
    reused_connections: 'if(failed, 0, page_objects - 7 - site)',
    lookups: 'if(failed, 0, 3 + site)',
    request_total_time: 'request_us * requests_made',
    request_min_time: 'intDiv(request_us, 3)',
    request_avg_time: 'request_us',
    request_max_time: 'request_us * 3',
    ttfb_total: 'first_byte_us * requests_made',
    ttfb_min: 'intDiv(first_byte_us, 2)',
    ttfb_avg: 'first_byte_us',
    ttfb_max: 'first_byte_us * 3',
    lookup_total_time: 'lookup_us * (3 + site)',
    lookup_min_time: 'intDiv(lookup_us, 4)',
    lookup_avg_time: 'lookup_us',
    lookup_max_time: 'lookup_us * 2',
  },
};
