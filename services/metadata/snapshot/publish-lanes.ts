import { foldChanges } from './fold-changes.ts';
import { publishChanges, publishSnapshots } from './publish-snapshots.ts';
import { differingOrganisations, type PublishOutcome, type PublishTools } from './publish-tools.ts';

/** Changes with more agents are published as a snapshot, so that the dictionary of changes stays small. */
const maxChangedAgents = 10_000;
/** Folding costs a reload of the snapshots; until then every row of a query costs a second lookup. */
const foldAtAgents = 1_000;
const foldAfterS = 60;
/** How often the publications in ClickHouse are compared with Postgres. */
const compareIntervalMs = 5_000;

/**
 * One of two publishers that work at the same time: the changes of an organisation do not wait while the
 * snapshot of another is written and loaded.
 */
export interface PublishLane {
  readonly name: 'changes' | 'snapshots';
  readonly tools: PublishTools;
  /** Organisations to publish, the longest waiting first. */
  readonly due: () => Promise<readonly number[]>;
  readonly publish: (organisationIds: readonly number[]) => Promise<PublishOutcome>;
}

/** Organisations in which few agents changed. */
export function changesLane(tools: PublishTools): PublishLane {
  return {
    name: 'changes',
    tools,
    due: async () => {
      const waiting = await tools.ledger.waitingOrganisations();
      return waiting.filter(isSmall).map(({ organisationId }) => organisationId);
    },
    publish: (organisationIds) => publishChanges(tools, organisationIds),
  };
}

/** All others, those that differ between the stores, and those whose changes are to be folded. */
export function snapshotsLane(tools: PublishTools): PublishLane {
  const { ledger } = tools;
  let comparedAtMs = -Infinity;
  const needSnapshot = async () => {
    const waiting = await ledger.waitingOrganisations();
    const due = new Set(
      waiting.filter((one) => !isSmall(one)).map(({ organisationId }) => organisationId),
    );
    if (performance.now() - comparedAtMs >= compareIntervalMs) {
      const different = await differingOrganisations(tools);
      if (different.length === 0) comparedAtMs = performance.now();
      for (const organisationId of different) due.add(organisationId);
    }
    return due;
  };
  return {
    name: 'snapshots',
    tools,
    due: async () => {
      const toFold = await ledger.organisationsToFold(foldAtAgents, foldAfterS);
      return [...new Set([...(await needSnapshot()), ...toFold])];
    },
    publish: async (organisationIds) => {
      const due = await needSnapshot();
      const onlyFold = organisationIds.filter((organisationId) => !due.has(organisationId));
      const { published, failed } = await publishSnapshots(
        tools,
        organisationIds.filter((organisationId) => due.has(organisationId)),
      );
      return { published, failed: new Map([...failed, ...(await foldChanges(tools, onlyFold))]) };
    },
  };
}

function isSmall({ agents }: { readonly agents: number | null }): boolean {
  return agents !== null && agents <= maxChangedAgents;
}
