/** Everything the reference knows: who took part, what was true of them when, and what they sent. */
export interface Panel {
  readonly agents: readonly Agent[];
  readonly rows: Readonly<Record<TestName, readonly Row[]>>;
}

export interface Agent {
  readonly agentId: string;
  readonly unitId: number | null;
  readonly kind: 'whitebox' | 'cpe' | 'mobile' | 'web';
  readonly base: string;
  readonly country: string | null;
  /** Without overlaps; where none covers a moment, nothing was known of the household. */
  readonly history: readonly Stretch[];
}

/** What was true of a household from one second up to, and not including, another. */
export interface Stretch {
  /** null: since ever */
  readonly fromUtcS: number | null;
  /** null: until further notice */
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
  'mobile_download',
  'mobile_latency',
  'mobile_upload',
  'mobile_www',
  'mobile_youtube',
] as const;

export type TestName = (typeof testNames)[number];

/** One row of a test's table, in the order in which the rows were received. */
export interface Row {
  readonly agent: Agent;
  readonly dtimeUtcMs: number;
  readonly columns: Readonly<Record<string, Value>>;
}

export type Value = string | number | null;
