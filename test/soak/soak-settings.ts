/** `make proof-soak` runs for an hour. SOAK_MINUTES=3 is a try. */
export const soakMinutes = Number(process.env.SOAK_MINUTES ?? 60);
/** The same seed gives the same panels and the same order of requests. */
export const soakSeed = Number(process.env.SOAK_SEED ?? 18);
/** At most this many requests per second to all services together. Two cores reached 4.2 beside other work. */
export const soakRate = Number(process.env.SOAK_RATE ?? 5);

/** Caches, pools and compiled code fill up in this time, which is not measured. */
export const warmUpMinutes = Math.min(10, soakMinutes / 3);

/**
 * The shortest measured time whose slope is judged. In a shorter one the services still warm up, and a single
 * garbage collection decides the slope.
 */
const judgedMinutes = 20;
export const isSlopeJudged = soakMinutes - warmUpMinutes >= judgedMinutes;

/** Settings of the services: the limits count, but are never reached, also when a busy machine is slow. */
export const soakServiceSettings = {
  NODE_OPTIONS: `--import ${new URL('./collect-garbage.js', import.meta.url).href}`,
  RATE_LIMIT_ADDRESS_PER_MINUTE: '1000000',
  RATE_LIMIT_FAILURES_PER_MINUTE: '1000000',
  RATE_LIMIT_TOKEN_PER_MINUTE: '1000000',
  RATE_LIMIT_LISTINGS_PER_MINUTE: '1000000',
  MAX_RUNNING_EXPORTS: '10',
};
