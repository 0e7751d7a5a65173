import { failureRate, metric, type Metric } from '../metric.ts';

const ownFields = ['ip_version'];

/** Loading of a web page with its objects. */
export const webMetrics: readonly Metric[] = [
  metric({
    key: 'webgetAvg',
    name: 'Web page load time',
    keywords: ['browsing', 'website'],
    unit: 's',
    better: 'lower',
    description: 'Time to load a web page with its objects',
    test: 'webget',
    value: 'fetch_time / 1e6',
    prefilterRule: 'keeps pages that took 0.05 to 30 s',
    // The FCC's rule: under 50 ms nothing was loaded, over 30 s users give up.
    prefilter: 'fetch_time >= 50000 AND fetch_time <= 30000000',
    ownFields,
  }),
  failureRate({
    key: 'webgetFail',
    name: 'Web page failures',
    keywords: ['browsing', 'website', 'availability'],
    description: 'Web pages that did not load',
    test: 'webget',
    prefilterRule:
      'drops results with more than 1,000 pages, which only a faulty device has; failures stay',
    prefilter: '(successes + failures) <= 1000',
    ownFields,
  }),
];
