import { setting } from './setting.ts';

/** Limits per client and process. They stop a client that floods the service, not one that uses it. */
export const rateLimitSettings = {
  // The pages of a browser are 20 files. Requests with a valid token do not count.
  rateLimitAddressPerMinute: setting.number(
    'RATE_LIMIT_ADDRESS_PER_MINUTE',
    'Maximum number of requests per minute from an address without a valid token; 0: no limit.',
    1_200,
  ),
  // More than a person or a misconfigured program needs to notice it.
  rateLimitFailuresPerMinute: setting.number(
    'RATE_LIMIT_FAILURES_PER_MINUTE',
    'Maximum number of invalid tokens per minute from an address; 0: no limit.',
    60,
  ),
  // 50 per second. MAX_RUNNING_QUERIES limits how many of them run at once.
  rateLimitTokenPerMinute: setting.number(
    'RATE_LIMIT_TOKEN_PER_MINUTE',
    'Maximum number of requests per minute with a token, except GET requests; 0: no limit.',
    3_000,
  ),
  // An auto-complete field sends one per keystroke.
  rateLimitListingsPerMinute: setting.number(
    'RATE_LIMIT_LISTINGS_PER_MINUTE',
    'Maximum number of listings and other GET requests per minute with a token; 0: no limit.',
    1_200,
  ),
  // Less than half of the connections of a store.
  maxRunningListings: setting.number(
    'MAX_RUNNING_LISTINGS',
    'Maximum number of concurrent listings and other GET requests per organisation and process.',
    4,
    1,
  ),
  trustProxy: setting.proxies(
    'TRUST_PROXY',
    "Trusted proxies, whose X-Forwarded-For gives the client's address: their number, or addresses, subnets, loopback, linklocal and uniquelocal, comma-separated; empty: none.",
  ),
};
