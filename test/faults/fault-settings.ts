/** `make proof-faults` runs many rounds, `make test` a few that cover everything once. */
export const faultRounds = Number(process.env.FAULT_ROUNDS ?? 6);
export const isProof = faultRounds > 6;
/** The same seed gives the same rounds. */
export const faultSeed = Number(process.env.FAULT_SEED ?? (isProof ? Date.now() % 1_000_000 : 1));
/**
 * Timeout of the recovery after a fault. A proof allows 30 seconds; `make test` allows more, because it
 * also runs on busy machines.
 */
export const recoveryMs = isProof ? 30_000 : 100_000;
