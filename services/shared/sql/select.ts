import type { Expression } from './expression.ts';

/** A statement: named steps (CTEs), and the final SELECT. */
export interface Query {
  readonly steps: readonly Step[];
  /** Printed above the final SELECT, like that of a step. */
  readonly why?: string;
  readonly select: Select;
  /** Each is `name = value`. */
  readonly settings?: readonly string[];
}

export interface Step {
  readonly name: string;
  /** A sentence per line, printed as comments above the step. Never text of a request. */
  readonly why?: string;
  readonly select: Select;
}

export interface Select {
  /** Named expressions for the columns and conditions: WITH expression AS name. */
  readonly define?: readonly Column[];
  readonly columns: readonly Column[];
  /** Default: the step before. */
  readonly from?: string;
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
  /** Further rows, with the same columns. */
  readonly unionAll?: Select;
}

/** A column name, or an expression with its alias. */
export type Column = string | NamedExpression;

interface NamedExpression {
  readonly expression: Expression;
  readonly name: string;
}

export function step(name: string, why: string, select: Select): Step {
  return { name, why, select };
}

/** `expression AS name`, or only the name if they are equal. */
export function as(expression: Expression, name: string): Column {
  return expression === name ? name : { expression, name };
}

export function nameOf(column: Column): string {
  return typeof column === 'string' ? column : column.name;
}
