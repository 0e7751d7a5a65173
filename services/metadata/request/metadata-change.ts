import type { PackageChoice } from '../../registry/organisations/packages.ts';

/** The number 5 and the text "5" are stored as different values. Selectors and filters compare their text. */
export type CustomValue = string | number;
export type CustomFields = Readonly<Record<string, CustomValue>>;

/** Selects the agents of a change. All given fields must match their current metadata. */
export interface AgentSelector {
  readonly agentId?: string;
  readonly unitId?: number;
  readonly macAddress?: string;
  readonly isp?: string;
  /** The id, which implies the ISP; 'unknown' if the organisation does not have the package: no agent matches. */
  readonly package?: number | 'unknown';
  readonly timezone?: string;
  readonly custom?: CustomFields;
}

/** The fields to change. Omitted fields keep their values, or are removed with overwriteAll. */
export interface NewMetadata {
  readonly package?: PackageChoice;
  readonly timezone?: string;
  /** null removes a key. */
  readonly custom?: Readonly<Record<string, CustomValue | null>>;
}

/** What changes from a date on. */
export interface ChangeStep {
  readonly metadata: NewMetadata;
  readonly validFromUtc: Date;
  readonly overwriteAll: boolean;
}

/** A parsed PUT /metadata. */
export interface MetadataChange extends ChangeStep {
  readonly selector: AgentSelector;
  /** Applied afterwards, in this order and in the same transaction. */
  readonly followedBy: readonly ChangeStep[];
}
