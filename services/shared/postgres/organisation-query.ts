import pg from 'pg';

/** A statement with its values, which Postgres plans once per connection. */
export interface NamedStatement {
  /** Identifies the text. */
  readonly name: string;
  readonly text: string;
  readonly values: readonly (string | null)[];
}

export type Row = Readonly<Record<string, unknown>>;

/**
 * The part of pg's Connection that sends messages. It is undocumented: only this file uses it, and .ci/run tests it with
 * the newest minor version of pg. Its types have a parameter that no longer exists.
 */
interface Wire {
  readonly stream: { cork(): void; uncork(): void };
  parse(message: { name: string; text: string }): void;
  bind(message: { statement: string; values: readonly (string | null)[] }): void;
  describe(message: { type: 'P' }): void;
  execute(message: object): void;
  close(message: { type: 'S'; name: string }): void;
  sync(): void;
}

interface Column {
  readonly name: string;
  readonly parse: (text: string) => unknown;
}

/** Its types allow only the types that Postgres brings along. */
const parserOf = pg.types.getTypeParser as (typeId: number) => Column['parse'];

/** Returns no row. A setting of the transaction only. */
const setOrganisation = {
  name: 'organisation of the transaction',
  text: "select where set_config('netpanel.organisation', $1, true) is null",
};

/** The statements that Postgres has prepared on a connection. */
const preparedOn = new WeakMap<Wire, Set<string>>();

/**
 * Statements that see only rows of one organisation, in one round trip: Postgres receives the setting of
 * the organisation and all statements before the one Sync that ends their transaction. The setting ends
 * with it. A query of pg's: `client.query(new OrganisationQuery(…))`.
 */
export class OrganisationQuery {
  readonly #statements: readonly NamedStatement[];
  readonly #resolve: (rows: readonly Row[][]) => void;
  readonly #reject: (error: Error) => void;
  readonly #results: Row[][] = [];
  #columns: readonly Column[] = [];
  #rows: Row[] = [];

  constructor(
    organisationId: number,
    statements: readonly NamedStatement[],
    resolve: (rows: readonly Row[][]) => void,
    reject: (error: Error) => void,
  ) {
    this.#statements = [{ ...setOrganisation, values: [String(organisationId)] }, ...statements];
    this.#resolve = resolve;
    this.#reject = reject;
  }

  submit(connection: unknown): void {
    const wire = connection as Wire;
    // One packet.
    wire.stream.cork();
    for (const statement of this.#statements) send(wire, statement);
    wire.sync();
    wire.stream.uncork();
  }

  handleRowDescription({ fields }: { fields: readonly pg.FieldDef[] }): void {
    this.#columns = fields.map(({ name, dataTypeID }) => ({
      name,
      parse: parserOf(dataTypeID),
    }));
  }

  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    this.#rows.push(
      Object.fromEntries(
        this.#columns.map(({ name, parse }, i) => {
          const text = fields[i] ?? null;
          return [name, text === null ? null : parse(text)];
        }),
      ),
    );
  }

  handleCommandComplete(): void {
    this.#results.push(this.#rows);
    this.#rows = [];
  }

  handleReadyForQuery(connection: unknown): void {
    const wire = connection as Wire;
    const prepared = preparedOn.get(wire) ?? new Set<string>();
    for (const { name } of this.#statements) prepared.add(name);
    preparedOn.set(wire, prepared);
    this.#resolve(this.#results.slice(1));
  }

  /** Of Postgres or of the connection. After it, handleReadyForQuery is not called. */
  handleError(error: Error): void {
    this.#reject(error);
  }
}

function send(wire: Wire, { name, text, values }: NamedStatement): void {
  if (preparedOn.get(wire)?.has(name) !== true) {
    // An attempt that failed may have prepared it. Closing one that does not exist is no error.
    wire.close({ type: 'S', name });
    wire.parse({ name, text });
  }
  wire.bind({ statement: name, values });
  wire.describe({ type: 'P' });
  wire.execute({});
}
