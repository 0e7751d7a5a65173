/** Tests send thousands of requests from one address. The tests of the limits set their own. */
export const noRateLimits = {
  RATE_LIMIT_ADDRESS_PER_MINUTE: '0',
  RATE_LIMIT_FAILURES_PER_MINUTE: '0',
  RATE_LIMIT_TOKEN_PER_MINUTE: '0',
  INGEST_RATE_LIMIT_TOKEN_PER_MINUTE: '0',
  RATE_LIMIT_LISTINGS_PER_MINUTE: '0',
  MAX_RUNNING_LISTINGS: '1000',
};
