import type { Expression } from './expression.ts';

/** A statement: named steps (CTEs), each reading the one before it, and the SELECT over the last. */
export interface Query {
  readonly steps: readonly Step[];
  readonly select: Select;
  /** `name = value` each. */
  readonly settings?: readonly string[];
}

export interface Step {
  readonly name: string;
  readonly select: Select;
}

export interface Select {
  /** Expressions that the columns and conditions refer to by name: WITH expression AS name. */
  readonly define?: readonly Column[];
  readonly columns: readonly Column[];
  readonly from: string;
  readonly final?: boolean;
  /** All of them must hold. */
  readonly where?: readonly Expression[];
  readonly groupBy?: readonly string[];
  readonly having?: string;
  readonly orderBy?: readonly string[];
}

/** A name, or an expression with the name it is given. */
export type Column = string | NamedExpression;

export interface NamedExpression {
  readonly expression: Expression;
  readonly name: string;
}

/** `expression AS name`, or the name alone where they are the same. */
export function as(expression: Expression, name: string): Column {
  return expression === name ? name : { expression, name };
}
