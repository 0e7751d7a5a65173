/**
 * A test and its table `test_<key>` in services/schema. `columns` are its columns in the order of the
 * table, after the common ones. `rowKey` are the columns that distinguish rows of an agent with the same
 * dtime.
 */
export interface TestTable {
  readonly key: string;
  /** For people: `Download speed`. */
  readonly name: string;
  readonly agents: 'units' | 'mobile';
  readonly description: string;
  readonly columns: readonly string[];
  readonly rowKey: readonly string[];
  /** If a test can have several rows: its result is the last row in the order of these columns. */
  readonly lastRowBy?: readonly string[];
  /**
   * How often an agent runs the test, if a run has one result. Absent: phones and web pages run tests on demand, and
   * a run of DNS, ping or traceroute has as many results as it has targets.
   */
  readonly schedule?: Schedule;
}

export interface Schedule {
  readonly resultsPerHour: number;
  /** Where that is described. */
  readonly source: string;
}

/** Splits column names at white space. */
export function columnNames(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}
