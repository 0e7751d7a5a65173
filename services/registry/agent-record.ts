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
  readonly custom: Readonly<Record<string, string | number>>;
}
