/** `make proof-faults` asks for many rounds, `make test` for a few that meet everything once. */
export const faultRounds = Number(process.env.FAULT_ROUNDS ?? 5);
export const isProof = faultRounds > 5;
/** The same seed gives the same rounds. */
export const faultSeed = Number(process.env.FAULT_SEED ?? (isProof ? Date.now() % 1_000_000 : 1));
/**
 * Everything must have recovered so long after the fault has passed. A proof holds it to 30 seconds;
 * make test also runs on machines that are busy with something else.
 */
export const recoveryMs = isProof ? 30_000 : 100_000;
