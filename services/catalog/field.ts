/** A field for splits and filters. */
export interface Field {
  /** Name in requests, and of the column in responses: `isp`, `threads`, `custom.tier`. */
  readonly name: string;
  /** For people: `Device model`. */
  readonly label: string;
  readonly description: string;
  readonly source: FieldSource;
  /** A value belongs to one household. Callers with a privacy floor cannot use the field. */
  readonly identifiesHousehold?: true;
}

/** The source of a field's value. */
export type FieldSource =
  /** A column of the test's table. An empty text becomes null. */
  | { readonly kind: 'column'; readonly column: string; readonly type: ColumnType }
  /** The household's metadata as of the result, an attribute of the dictionary agent_metadata. */
  | { readonly kind: 'metadata'; readonly attribute: MetadataAttribute }
  /** A custom key of the organisation in that metadata. */
  | { readonly kind: 'custom'; readonly key: string }
  /** The names of the sets that the agent is in. For filters only: it may be in several. */
  | { readonly kind: 'set' };

/** `id`: a number in the table, a string in responses, such as the unit of a raw point. */
type ColumnType = 'text' | 'number' | 'id';

export type MetadataAttribute = 'isp' | 'package' | 'country';
