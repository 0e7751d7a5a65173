import { as, type Column } from '../../shared/sql/select.ts';

/** A number of a point, over the rows of the point. */
export interface PointAggregate {
  readonly name: string;
  /** Aggregate functions and their arguments. */
  readonly calls: readonly (readonly [name: string, args: string])[];
  /** SQL over the results of the calls. */
  readonly sql: (...results: readonly string[]) => string;
}

/** One aggregate function. */
export function aggregate(name: string, call: string, args: string): PointAggregate {
  return { name, calls: [[call, args]], sql: (result = '') => result };
}

/** In one step. */
export function atOnce({ name, calls, sql }: PointAggregate): Column {
  return as(sql(...calls.map(([call, args]) => `${call}(${args})`)), name);
}

/** In two steps: the states of parts of a point. */
export function ofPart({ name, calls }: PointAggregate): readonly Column[] {
  return calls.map(([call, args], i) => as(`${call}State(${args})`, stateName(name, i)));
}

/** The second step, over the parts. */
export function overParts({ name, calls, sql }: PointAggregate): Column {
  return as(sql(...calls.map(([call], i) => `${call}Merge(${stateName(name, i)})`)), name);
}

function stateName(name: string, at: number): string {
  return `${name}_${at + 1}`;
}

/** Clauses of a step whose rows are points. GROUP BY without keys would return one row even without results. */
export function groupedBy(keys: readonly string[], having?: string) {
  const needed = having ?? (keys.length === 0 ? 'count() > 0' : undefined);
  return { groupBy: keys, ...(needed !== undefined && { having: needed }) };
}

/** SQL of an aggregate function over the rows that satisfy a condition. */
export function aggregateIf(call: string, args: string, condition: string, levels = ''): string {
  const [name, allArgs] = callIf(call, args, condition);
  return `${name}${levels}(${allArgs})`;
}

/** Its name and arguments. */
export function callIf(
  call: string,
  args: string,
  condition: string,
): readonly [name: string, args: string] {
  if (condition === '1') return [call, args];
  return [`${call}If`, args === '' ? condition : `${args}, ${condition}`];
}
