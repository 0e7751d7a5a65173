/**
 * A field of a request body, declared once. The contract, the parser, the types of the clients and the options
 * of `netpanel query` follow the declaration.
 */
export interface RequestField {
  /** The type in the contract, as in OpenAPI, without description, default and fields. */
  readonly schema: Schema;
  /** For the contract, in Markdown. A default is added to it. */
  readonly about?: string;
  readonly example?: unknown;
  /** The name of the schema in the contract. Absent: the schema has no name of its own. */
  readonly component?: string;
  readonly isRequired?: true;
  /** Default: a field is nullable if it is not required, an item of a list is not. */
  readonly isNullable?: boolean;
  /** The same as leaving the field out. Generated clients send it. */
  readonly default?: string | boolean;
  /** Of an object. */
  readonly fields?: RequestFields;
  /** Of a list. */
  readonly items?: RequestField;
  /** Returns a value that the contract does not have in its form: a generator needs one type per field. */
  readonly inFull?: (value: unknown) => unknown;
  /** Options of `netpanel query`, by name. */
  readonly flags?: Readonly<Record<string, Flag>>;
}

export type RequestFields = Readonly<Record<string, RequestField>>;

export type Schema = Readonly<Record<string, unknown>> & { readonly type: string };

/** An option of the commands that send a request. */
export interface Flag {
  readonly about: string;
  /** The word for its value in the usage. Absent: the option has no value. */
  readonly value?: string;
  readonly short?: string;
  readonly isRepeated?: true;
  /** The field of the object that it sets. */
  readonly sets?: string;
  /**
   * The field of the request in the texts of the option, of which there are several if it is repeated. Throws a
   * UsageError. Absent: one text, or a whole number if the field is one.
   */
  readonly read?: (texts: readonly string[], option: string) => unknown;
  /** For completion in a shell. */
  readonly values?: readonly string[];
}
