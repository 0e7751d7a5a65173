import type { SourceRow } from '../sources/source-rows.ts';

/** What an expression is computed from. */
export type EvaluatedRow = Pick<SourceRow, 'row' | 'cells'>;

/** The parsed form of an expression such as `download_mbps*125000`. `text` is what was written. */
export type Expression = { readonly text: string } & (
  | { readonly kind: 'column'; readonly index: number; readonly name: string }
  | { readonly kind: 'number' | 'text'; readonly value: string }
  | { readonly kind: 'row' }
  | { readonly kind: 'negative'; readonly operand: Expression }
  | {
      readonly kind: 'operation';
      readonly operator: Operator;
      readonly left: Expression;
      readonly right: Expression;
    }
  | {
      readonly kind: 'lookup';
      readonly key: Expression;
      readonly table: LookupTable;
      readonly otherwise: Expression | undefined;
    }
  | { readonly kind: 'call'; readonly name: FunctionName; readonly args: readonly Expression[] }
);

export type Operator = '+' | '-' | '*' | '/';

export interface LookupTable {
  /** For messages: the name of the table; '' for a table within the expression. */
  readonly name: string;
  readonly values: ReadonlyMap<string, string>;
}

/** Functions with the number of their arguments, besides lookup, optional and row. */
export const functions = {
  part: { min: 3, max: 3, usage: "part(text, 'separator', n)" },
  replace: { min: 3, max: 3, usage: "replace(text, 'from', 'to')" },
  concat: { min: 1, max: 20, usage: 'concat(text, …)' },
  coalesce: { min: 1, max: 20, usage: 'coalesce(text, …)' },
  lower: { min: 1, max: 1, usage: 'lower(text)' },
  upper: { min: 1, max: 1, usage: 'upper(text)' },
  number: { min: 1, max: 1, usage: 'number(text)' },
  weight: { min: 1, max: 1, usage: 'weight(text)' },
} as const;

export type FunctionName = keyof typeof functions;

/** The columns that an expression reads, each once. */
export function columnsOf(expression: Expression): readonly string[] {
  return [...new Set(namesIn(expression))];
}

function namesIn(expression: Expression): readonly string[] {
  switch (expression.kind) {
    case 'column':
      return [expression.name];
    case 'number':
    case 'text':
    case 'row':
      return [];
    case 'negative':
      return namesIn(expression.operand);
    case 'operation':
      return [...namesIn(expression.left), ...namesIn(expression.right)];
    case 'lookup':
      return [
        ...namesIn(expression.key),
        ...(expression.otherwise === undefined ? [] : namesIn(expression.otherwise)),
      ];
    case 'call':
      return expression.args.flatMap(namesIn);
  }
}
