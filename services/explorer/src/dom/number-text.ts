const readable = new Intl.NumberFormat('en', { maximumSignificantDigits: 5 });
const exact = new Intl.NumberFormat('en', { maximumSignificantDigits: 9 });
const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });

/** For labels and tables: 312.04 */
export function shortNumber(value: number): string {
  return readable.format(value);
}

/** For tooltips: 312.036224 */
export function exactNumber(value: number): string {
  return exact.format(value);
}

/** 136,616 */
export function count(value: number): string {
  return whole.format(value);
}

/** 1.4 MB */
export function byteText(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB'];
  const power = bytes < 1 ? 0 : Math.min(3, Math.floor(Math.log10(bytes) / 3));
  return `${shortNumber(Number((bytes / 1000 ** power).toPrecision(3)))} ${units[power] ?? ''}`;
}

/** The unit as shown: `mbps` is Mbit/s. */
export function unitText(unit: string): string {
  return unit === 'mbps' ? 'Mbit/s' : unit;
}
