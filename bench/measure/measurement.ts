/** One measured number, with an optional target. */
export interface Measurement {
  readonly section: string;
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  readonly target?: Target;
}

export interface Target {
  readonly atMost?: number;
  readonly atLeast?: number;
}

export function meetsTarget({ value, target }: Measurement): boolean {
  const { atMost = Infinity, atLeast = -Infinity } = target ?? {};
  return value <= atMost && value >= atLeast;
}
