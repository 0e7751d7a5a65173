/** One measured number, with what it should be where the project has promised something. */
export interface Figure {
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

export function meetsTarget({ value, target }: Figure): boolean {
  const { atMost = Infinity, atLeast = -Infinity } = target ?? {};
  return value <= atMost && value >= atLeast;
}
