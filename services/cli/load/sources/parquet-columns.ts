import { type FileMetaData, parquetSchema, type SchemaElement, type SchemaTree } from 'hyparquet';

/** A value of a Parquet row that is not a record. */
export interface ParquetColumn {
  /** `a.MinRTT` */
  readonly name: string;
  readonly path: readonly string[];
  /** Digits after the point of a DECIMAL. */
  readonly scale: number | undefined;
  /** Of 32 bits, whose shortest decimal is not that of the same number as a double. */
  readonly isFloat: boolean;
}

/** The columns of a file. DECIMALs are read as whole numbers from then on: hyparquet rounds them to doubles. */
export function parquetColumns(metadata: FileMetaData): readonly ParquetColumn[] {
  return leaves(parquetSchema(metadata).children);
}

function leaves(nodes: readonly SchemaTree[]): readonly ParquetColumn[] {
  return nodes.flatMap((node) =>
    isRecord(node) ? leaves(node.children) : parquetColumn(node.element, node.path),
  );
}

function isRecord({ children, element }: SchemaTree): boolean {
  const { repetition_type, converted_type, logical_type } = element;
  const isPlain = converted_type === undefined && logical_type === undefined;
  return children.length > 0 && isPlain && repetition_type !== 'REPEATED';
}

function parquetColumn(element: SchemaElement, path: readonly string[]): ParquetColumn {
  const isDecimal =
    element.converted_type === 'DECIMAL' || element.logical_type?.type === 'DECIMAL';
  const scale = isDecimal ? decimalScale(element) : undefined;
  if (isDecimal) {
    delete element.converted_type;
    delete element.logical_type;
  }
  return { name: path.join('.'), path, scale, isFloat: element.type === 'FLOAT' };
}

function decimalScale({ scale, logical_type }: SchemaElement): number {
  return scale ?? (logical_type?.type === 'DECIMAL' ? logical_type.scale : 0);
}
