import { type Measurement, meetsTarget, type Target } from './measure/measurement.ts';

export function printTable(
  measurements: readonly Measurement[],
  print: (line: string) => void,
): void {
  let section = '';
  for (const measurement of measurements) {
    if (measurement.section !== section) {
      section = measurement.section;
      print(`\n${section}`);
    }
    const value = `${formatted(measurement.value)} ${measurement.unit}`.padEnd(18);
    print(`  ${measurement.what.padEnd(52)} ${value} ${verdict(measurement)}`.trimEnd());
  }
}

export function formatted(value: number): string {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return Number.isInteger(value) ? String(value) : value.toFixed(digits);
}

function verdict(measurement: Measurement): string {
  if (measurement.target === undefined) return '';
  return `${wanted(measurement.target)}: ${meetsTarget(measurement) ? 'met' : 'MISSED'}`;
}

export function wanted({ atMost, atLeast }: Target): string {
  return atMost === undefined ? `at least ${atLeast}` : `at most ${atMost}`;
}
