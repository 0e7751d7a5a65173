import type { PackageChoice } from '../../registry/packages.ts';

/** A custom field keeps the type it was sent with: the number 5 and the text "5" are different. */
export type CustomValue = string | number;
export type CustomFields = Readonly<Record<string, CustomValue>>;

/** Which agents a change is for: all that is given must match what is true of them now. */
export interface AgentSelector {
  readonly agentId?: string;
  readonly unitId?: number;
  readonly macAddress?: string;
  readonly isp?: string;
  /** 'unknown' when the organisation has no such package: then nothing matches. */
  readonly package?: PackageChoice | 'unknown';
  readonly timezone?: string;
  readonly custom?: CustomFields;
}

/** The fields to change; one that is left out is kept, or removed when all is overwritten. */
export interface NewMetadata {
  readonly package?: PackageChoice;
  readonly timezone?: string;
  readonly custom?: CustomFields;
}

/** What a PUT /metadata means. */
export interface MetadataChange {
  readonly selector: AgentSelector;
  readonly metadata: NewMetadata;
  readonly validFromUtc: Date;
  readonly overwriteAll: boolean;
}
