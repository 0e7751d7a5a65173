/** Something to split and filter by. */
export interface Field {
  /** As requested, and as the column of the answer: `isp`, `threads`, `custom.tier`. */
  readonly name: string;
  readonly description: string;
  readonly source: FieldSource;
}

/** Where the value of a result comes from. */
export type FieldSource =
  /** A column of the test's table; an empty text is no value, hence null. */
  | { readonly kind: 'column'; readonly column: string; readonly type: ColumnType }
  /** The household's metadata as of the result, an attribute of the dictionary agent_metadata. */
  | { readonly kind: 'metadata'; readonly attribute: MetadataAttribute }
  /** The organisation's own key in that metadata. */
  | { readonly kind: 'custom'; readonly key: string };

/** `id` is a number in the table and text in answers, as the contract has the unit of a raw point. */
type ColumnType = 'text' | 'number' | 'id';

export type MetadataAttribute = 'isp' | 'package' | 'country';
