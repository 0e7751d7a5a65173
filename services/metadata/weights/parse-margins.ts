import { InvalidInput } from '../../shared/errors/invalid-input.ts';
import { nearest } from '../../shared/nearest.ts';

/** Published totals by the values of one or several fields. */
export interface Margin {
  readonly fields: readonly string[];
  /** Of each cell, in the order of the fields. */
  readonly values: readonly (readonly string[])[];
  /** Of each cell, of the total of the margin. */
  readonly shares: readonly number[];
}

/** Fields of agents besides those of custom metadata. */
const marginFields = ['isp', 'package', 'country', 'timezone'] as const;

/** Shares of the same cells may differ by this because published totals are rounded. */
export const roundingOfTotals = 0.01;

/**
 * Parses the rows of margins.csv: rows with values in the same fields are one margin. Throws InvalidInput.
 * `customKeys`: those of the organisation.
 */
export function parseMargins(
  [header = [], ...rows]: readonly (readonly string[])[],
  customKeys: readonly string[],
): readonly Margin[] {
  const names = header.map((name) => name.trim());
  checkHeader(names, customKeys);
  if (rows.length === 0) throw new InvalidInput('The file has no margins: it has only a header');
  const margins = new Map<string, Row[]>();
  rows.forEach((cells, i) => {
    const row = rowOf(names, cells, i + 2);
    const key = JSON.stringify(row.fields);
    margins.set(key, [...(margins.get(key) ?? []), row]);
  });
  const parsed = [...margins.values()].map(marginOf);
  checkContradictions(parsed);
  return parsed;
}

/** `isp × custom.region` */
export function marginName({ fields }: Pick<Margin, 'fields'>): string {
  return fields.join(' × ');
}

/** `isp = "Northwave", custom.region = "north"` */
export function cellName(fields: readonly string[], values: readonly string[]): string {
  return fields.map((field, i) => `${field} = ${JSON.stringify(values[i])}`).join(', ');
}

export function cellKey(values: readonly string[]): string {
  return JSON.stringify(values);
}

/** The largest difference of the shares that two margins have of the same values; 0: they agree. */
export function largestDifference(margins: readonly Margin[]): number {
  return Math.max(0, ...differences(margins).map(({ size }) => size));
}

interface Row {
  /** As a spreadsheet numbers it, without blank lines. */
  readonly line: number;
  readonly fields: readonly string[];
  readonly values: readonly string[];
  readonly total: number;
}

function checkHeader(names: readonly string[], customKeys: readonly string[]): void {
  if (names.length === 0) throw new InvalidInput('The file is empty');
  const repeated = names.find((name, i) => names.indexOf(name) < i);
  if (repeated !== undefined) throw new InvalidInput(`The column ${repeated} is there twice`);
  if (!names.includes('total')) {
    throw new InvalidInput(`The file has no column total. It has: ${names.join(', ')}`);
  }
  if (names.length === 1) {
    throw new InvalidInput('The file has no column of a field, such as isp or custom.region');
  }
  const known = [...marginFields, ...customKeys.map((key) => `custom.${key}`)];
  for (const name of names) {
    if (name === 'total' || known.includes(name)) continue;
    const meant = customKeys.includes(name) ? `custom.${name}` : nearest(name, known);
    const hint =
      meant === undefined ? `Known fields: ${known.join(', ')}` : `Did you mean ${meant}?`;
    throw new InvalidInput(`Unknown field ${JSON.stringify(name)}. ${hint}`);
  }
}

function rowOf(names: readonly string[], cells: readonly string[], line: number): Row {
  if (cells.length !== names.length) {
    throw new InvalidInput(`Row ${line} has ${cells.length} columns, not ${names.length}`);
  }
  const filled = names.flatMap((name, i) => {
    const value = cells[i]?.trim() ?? '';
    return name === 'total' || value === '' ? [] : [{ name, value }];
  });
  if (filled.length === 0) throw new InvalidInput(`Row ${line} has no value of a field`);
  return {
    line,
    fields: filled.map(({ name }) => name),
    values: filled.map(({ value }) => value),
    total: totalOf(cells[names.indexOf('total')]?.trim() ?? '', line),
  };
}

function totalOf(text: string, line: number): number {
  const total = /^(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/.test(text) ? Number(text) : NaN;
  if (Number.isFinite(total)) return total;
  throw new InvalidInput(
    `Row ${line}: total must be a number of at least 0, such as 1250.5, not ${JSON.stringify(text)}`,
  );
}

function marginOf(rows: readonly Row[]): Margin {
  const fields = rows[0]?.fields ?? [];
  const lines = new Map<string, number>();
  for (const { line, values } of rows) {
    const before = lines.get(cellKey(values));
    if (before !== undefined) {
      throw new InvalidInput(
        `Rows ${before} and ${line} are both about ${cellName(fields, values)}`,
      );
    }
    lines.set(cellKey(values), line);
  }
  const sum = rows.reduce((all, { total }) => all + total, 0);
  if (sum === 0) throw new InvalidInput(`All totals of ${marginName({ fields })} are 0`);
  if (sum === Infinity)
    throw new InvalidInput(`The totals of ${marginName({ fields })} are too large`);
  return {
    fields,
    values: rows.map(({ values }) => values),
    shares: rows.map(({ total }) => total / sum),
  };
}

function checkContradictions(margins: readonly Margin[]): void {
  const found = differences(margins).toSorted((a, b) => b.size - a.size)[0];
  if (found === undefined || found.size <= roundingOfTotals + 1e-9) return;
  const { names, cell, shares } = found;
  throw new InvalidInput(
    `The margins ${names[0]} and ${names[1]} contradict each other: ${cell} has ` +
      `${percent(shares[0])} of the first and ${percent(shares[1])} of the second`,
  );
}

/** `12.3 %` */
export function percent(share: number): string {
  return `${Number((100 * share).toFixed(2))} %`;
}

interface Difference {
  readonly names: readonly [string, string];
  readonly cell: string;
  readonly shares: readonly [number, number];
  readonly size: number;
}

/** Of each two margins that share fields, by the values of these. */
function differences(margins: readonly Margin[]): readonly Difference[] {
  return margins.flatMap((first, i) =>
    margins.slice(i + 1).flatMap((second) => {
      const fields = first.fields.filter((field) => second.fields.includes(field));
      if (fields.length === 0) return [];
      const [own, other] = [sharesBy(fields, first), sharesBy(fields, second)];
      return [...new Set([...own.keys(), ...other.keys()])].map((key): Difference => {
        const shares = [own.get(key) ?? 0, other.get(key) ?? 0] as const;
        return {
          names: [marginName(first), marginName(second)],
          cell: cellName(fields, JSON.parse(key) as string[]),
          shares,
          size: Math.abs(shares[0] - shares[1]),
        };
      });
    }),
  );
}

function sharesBy(fields: readonly string[], margin: Margin): ReadonlyMap<string, number> {
  const shares = new Map<string, number>();
  margin.values.forEach((values, cell) => {
    const key = cellKey(fields.map((field) => values[margin.fields.indexOf(field)] ?? ''));
    shares.set(key, (shares.get(key) ?? 0) + (margin.shares[cell] ?? 0));
  });
  return shares;
}
