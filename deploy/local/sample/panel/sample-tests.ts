import type { SampleTest } from './sample-test.ts';
import {
  mobileDownload,
  mobileLatency,
  mobileUpload,
  mobileWww,
  mobileYoutube,
} from './tests/phones.ts';
import { disconnections, dns, jitter, latency, ping } from './tests/round-trips.ts';
import { networkUsage, traceroute } from './tests/routers.ts';
import { httpget, httppost } from './tests/throughput.ts';
import { netflix, youtube } from './tests/video.ts';
import { webget } from './tests/web.ts';

/** All tests that agents run, in the order of the contract. `panel` is what regulators publish. */
export const sampleTests: readonly SampleTest[] = [
  httpget,
  httppost,
  dns,
  netflix,
  ping,
  jitter,
  latency,
  webget,
  youtube,
  networkUsage,
  traceroute,
  disconnections,
  mobileDownload,
  mobileLatency,
  mobileUpload,
  mobileWww,
  mobileYoutube,
];
