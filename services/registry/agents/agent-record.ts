/** Columns of an agent, in files and in ClickHouse. */
export const agentColumns = [
  'agent_id',
  'unit_id',
  'mac_address',
  'kind',
  'base',
  'country',
  'isp',
  'package',
  'timezone',
] as const;

/** An agent in an imported file; null: the file has no value. */
export interface AgentRecord {
  readonly agentId: string | null;
  readonly unitId: number | null;
  readonly macAddress: string | null;
  readonly kind: string | null;
  readonly base: string | null;
  readonly country: string | null;
  readonly isp: string | null;
  readonly packageName: string | null;
  readonly timezone: string | null;
  /** A null removes the field. */
  readonly custom: Readonly<Record<string, string | number | null>>;
  /** A missing ISP or package means that the agent has none; otherwise it changes nothing. */
  readonly statesPackage: boolean;
  /** The same for the time zone. */
  readonly statesTimezone: boolean;
  /** Start of the validity, if it is not that of the import. */
  readonly validFromUtc?: Date;
}

/** Without any value. */
export const emptyRecord: AgentRecord = {
  agentId: null,
  unitId: null,
  macAddress: null,
  kind: null,
  base: null,
  country: null,
  isp: null,
  packageName: null,
  timezone: null,
  custom: {},
  statesPackage: false,
  statesTimezone: false,
};
