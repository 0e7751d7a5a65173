/** To nine decimals: rounding errors must not separate equal values. */
export function rounded(value: number): number {
  return Math.round(value * 1e9) / 1e9;
}
