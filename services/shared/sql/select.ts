import type { Expression } from './expression.ts';

/** A statement: named steps (CTEs), each of which reads from the previous one, and the final SELECT. */
export interface Query {
  readonly steps: readonly Step[];
  readonly select: Select;
  /** Each is `name = value`. */
  readonly settings?: readonly string[];
}

export interface Step {
  readonly name: string;
  readonly select: Select;
}

export interface Select {
  /** Named expressions for the columns and conditions: WITH expression AS name. */
  readonly define?: readonly Column[];
  readonly columns: readonly Column[];
  readonly from: string;
  readonly final?: boolean;
  /** After the table: ASOF LEFT JOIN … ON …. */
  readonly join?: Expression;
  /** Joined by AND. */
  readonly where?: readonly Expression[];
  readonly groupBy?: readonly string[];
  readonly having?: string;
  readonly orderBy?: readonly string[];
  /** After LIMIT: `1 BY isp`. */
  readonly limit?: string;
}

/** A column name, or an expression with its alias. */
export type Column = string | NamedExpression;

interface NamedExpression {
  readonly expression: Expression;
  readonly name: string;
}

/** `expression AS name`, or only the name if they are equal. */
export function as(expression: Expression, name: string): Column {
  return expression === name ? name : { expression, name };
}

export function nameOf(column: Column): string {
  return typeof column === 'string' ? column : column.name;
}
