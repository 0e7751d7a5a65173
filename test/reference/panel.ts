/** The input of the reference: agents with their metadata history, and received rows. */
export interface Panel {
  readonly agents: readonly Agent[];
  readonly rows: Readonly<Record<TestName, readonly Row[]>>;
  /** As it is now, and on the other side: a request can name their custom fields, too. */
  readonly alsoKnown?: readonly Panel[];
}

export interface Agent {
  readonly agentId: string;
  readonly unitId: number | null;
  readonly kind: 'whitebox' | 'cpe' | 'mobile' | 'web';
  readonly base: string;
  readonly country: string | null;
  /** Without overlaps. In a gap the metadata is unknown. */
  readonly history: readonly Period[];
  /** Replicate weights of the field `weight`, in order, each until the next. */
  readonly replicates?: readonly Replicates[];
}

interface Replicates {
  readonly fromUtcS: number;
  /** The weight in each replicate, divided by the weight. */
  readonly factors: readonly number[];
}

/** A validity period of a household's metadata. The end is exclusive. */
export interface Period {
  /** null: no start */
  readonly fromUtcS: number | null;
  /** null: no end */
  readonly untilUtcS: number | null;
  readonly isp: string | null;
  /** Without the ISP: `Fibre 100` */
  readonly packageName: string | null;
  readonly timezone: string | null;
  readonly custom: Readonly<Record<string, string | number>>;
}

export const testNames = [
  'httpget',
  'httppost',
  'dns',
  'netflix',
  'ping',
  'jitter',
  'latency',
  'webget',
  'youtube',
  'network_usage',
  'traceroute',
  'udpcloss',
  'panel',
  'cells',
  'mobile_download',
  'mobile_latency',
  'mobile_upload',
  'mobile_www',
  'mobile_youtube',
] as const;

export type TestName = (typeof testNames)[number];

/** One row of a test's table. Rows are in the order of receipt. */
export interface Row {
  readonly agent: Agent;
  readonly dtimeUtcMs: number;
  readonly columns: Readonly<Record<string, Value>>;
}

export type Value = string | number | null;
