import { createHash } from 'node:crypto';

/** An advisory lock of Postgres, in the form with two keys. Each key has 32 bits. */
export type AdvisoryLock = readonly [namespace: number, key: number];

/**
 * Every advisory lock of netpanel. Each purpose has its own namespaces, so work for one purpose never waits for work
 * for another.
 */
export const lockTable = {
  /** Changes of metadata. The triggers new_periods_do_not_overlap and outbox_has_version take the same lock. */
  history: (organisationId: number) => [1, organisationId],
  /** One lane at a time publishes an organisation. */
  publication: (organisationId: number) => [2, organisationId],
  savedViews: (organisationId: number) => [3, organisationId],
  agentSet: (organisationId: number, name: string) => [4, hash(organisationId, name)],
  loadedBlock: (sha256: string) => [5, hash(sha256)],
  watchedFile: (organisationId: number, place: string, name: string) => [
    6,
    hash(organisationId, place, name),
  ],
  idempotencyKey: (organisationId: number, key: string) => [7, hash(organisationId, key)],
  migration: () => [8, 0],
  changesLane: () => [9, 0],
  snapshotsLane: () => [10, 0],
  retention: () => [11, 0],
  erasure: () => [12, 0],
  startOfExports: () => [13, 0],
  auditOfExports: () => [14, 0],
  samplePanel: () => [15, 0],
  weightReplicates: (organisationId: number, key: string) => [16, hash(organisationId, key)],
  /** One of up to 1,000 slots of an organisation, or of all organisations: 0. */
  slot: (organisationId: number, slot: number) => [firstSlotNamespace + slot, organisationId],
} as const satisfies Record<string, (...args: never[]) => AdvisoryLock>;

const firstSlotNamespace = 1_000;

/** Two values with the same hash wait for each other: rare, and harmless. */
function hash(...values: readonly (string | number)[]): number {
  return createHash('sha256').update(JSON.stringify(values)).digest().readInt32BE();
}
