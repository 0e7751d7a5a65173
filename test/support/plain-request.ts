/** A valid request for metric data with only the required fields: January 2026, daily. */
export const plainRequest = {
  metric: 'httpget',
  chartType: 'aggregate',
  aggregation: 'daily',
  normalised: false,
  prefilter: false,
  time: { from: '2026-01-01 00:00:00', to: '2026-01-31 23:59:59' },
};
