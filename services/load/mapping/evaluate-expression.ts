import { columnsOf, type EvaluatedRow, type Expression, type FunctionName } from './expression.ts';
import { MappingError } from '../mapping-error.ts';
import {
  add,
  divide,
  type Fraction,
  fractionText,
  multiply,
  negate,
  parseFraction,
} from './fraction.ts';

/** The value for a row of the file, whose cells are in the order of its columns. '' is blank. */
export type Evaluate = (row: EvaluatedRow) => string;

/** A row whose value cannot be computed. */
export class CellError extends Error {
  override readonly name = 'CellError';
  /** The column of the file; '' if the expression reads none. */
  readonly column: string;
  readonly value: string;

  constructor(reason: string, column: string, value: string) {
    super(reason);
    this.column = column;
    this.value = value;
  }
}

/** A value that makes the whole file invalid, such as a negative weight. */
export class RefusedCell extends CellError {}

/** Compiles an expression to a function of rows. Numbers are exact; a blank operand gives blank. */
export function evaluateExpression(expression: Expression): Evaluate {
  switch (expression.kind) {
    case 'column': {
      const { index } = expression;
      return ({ cells }) => cells[index] ?? '';
    }
    case 'number':
    case 'text': {
      const { value } = expression;
      return () => value;
    }
    case 'row':
      return ({ row }) => String(row);
    case 'negative':
    case 'operation': {
      const evaluate = evaluateNumber(expression);
      return (row) => {
        const result = evaluate(row);
        return result === undefined ? '' : fractionText(result);
      };
    }
    case 'lookup':
      return evaluateLookup(expression);
    case 'call':
      return callFunction(expression, expression.args.map(evaluateExpression));
  }
}

/** undefined is blank. */
type EvaluateNumber = (row: EvaluatedRow) => Fraction | undefined;

function evaluateNumber(expression: Expression): EvaluateNumber {
  if (expression.kind === 'negative') {
    const operand = evaluateNumber(expression.operand);
    return (row) => {
      const value = operand(row);
      return value && negate(value);
    };
  }
  if (expression.kind === 'operation') return evaluateOperation(expression);
  if (expression.kind === 'number') {
    const value = constant(expression.value);
    return () => value;
  }
  // An optional column that the file does not have.
  if (expression.kind === 'text' && expression.value === '') return () => undefined;
  if (expression.kind === 'text') {
    throw new MappingError(`${expression.text} is text, not a number`);
  }
  return numberFrom(expression, evaluateExpression(expression));
}

function constant(text: string): Fraction {
  const value = parseFraction(text);
  if (value === undefined) throw new MappingError(`the number ${text} has too many digits`);
  return value;
}

/** Reads a column, or the text that a function returns, as a number. */
function numberFrom(expression: Expression, evaluate: Evaluate): EvaluateNumber {
  const [column = ''] = columnsOf(expression);
  return (row) => {
    const text = evaluate(row);
    if (text.trim() === '') return undefined;
    const value = parseFraction(text);
    if (value === undefined)
      throw new CellError(`${expression.text} must be a number`, column, text);
    return value;
  };
}

function evaluateOperation(
  expression: Extract<Expression, { readonly kind: 'operation' }>,
): EvaluateNumber {
  const left = evaluateNumber(expression.left);
  const right = evaluateNumber(expression.right);
  const calculate = operations[expression.operator];
  const [divisorColumn = ''] = columnsOf(expression.right);
  if (isZero(expression)) throw new MappingError(`division by zero: ${expression.text}`);
  return (row) => {
    const a = left(row);
    const b = right(row);
    if (a === undefined || b === undefined) return undefined;
    const result = calculate(a, b);
    if (result === undefined) {
      throw new CellError(`division by zero in ${expression.text}`, divisorColumn, fractionText(b));
    }
    return result;
  };
}

const operations = {
  '+': add,
  '-': (a: Fraction, b: Fraction) => add(a, negate(b)),
  '*': multiply,
  '/': divide,
} as const;

/** A division by a constant that is zero, found before any row is read. */
function isZero({ operator, right }: Extract<Expression, { readonly kind: 'operation' }>): boolean {
  return operator === '/' && right.kind === 'number' && constant(right.value).numerator === 0n;
}

function evaluateLookup({
  key,
  table,
  otherwise,
}: Extract<Expression, { readonly kind: 'lookup' }>): Evaluate {
  const evaluateKey = evaluateExpression(key);
  const evaluateOther = otherwise && evaluateExpression(otherwise);
  const [column = ''] = columnsOf(key);
  const title = table.name === '' ? 'lookup' : `the table ${table.name}`;
  return (row) => {
    const from = evaluateKey(row).trim();
    const to = table.values.get(from);
    if (to !== undefined) return to;
    if (from === '') return '';
    if (evaluateOther !== undefined) return evaluateOther(row);
    throw new CellError(`${key.text} must be one of the values of ${title}`, column, from);
  };
}

type Call = Extract<Expression, { readonly kind: 'call' }>;

/** Compiles the call of a function. `args` are its compiled arguments. */
function callFunction(call: Call, args: readonly Evaluate[]): Evaluate {
  return compilers[call.name](call, args);
}

const compilers: Readonly<
  Record<FunctionName, (call: Call, args: readonly Evaluate[]) => Evaluate>
> = {
  part: (call, [text = blank]) => {
    const separator = constantText(call, 1);
    const n = partNumber(call);
    if (separator === '') throw new MappingError(`the separator of ${call.text} is empty`);
    // A text with fewer parts gives blank: `Unknown` has no second part of `50/20`.
    return (row) =>
      text(row)
        .split(separator)
        .at(n > 0 ? n - 1 : n)
        ?.trim() ?? '';
  },
  replace: (call, [text = blank]) => {
    const from = constantText(call, 1);
    const to = constantText(call, 2);
    if (from === '') throw new MappingError(`the text to replace in ${call.text} is empty`);
    return (row) => text(row).replaceAll(from, () => to);
  },
  concat: (_call, args) => (row) => {
    const texts = args.map((arg) => arg(row));
    return texts.includes('') ? '' : texts.join('');
  },
  coalesce: (_call, args) => (row) => {
    for (const arg of args) {
      const text = arg(row);
      if (text.trim() !== '') return text;
    }
    return '';
  },
  lower:
    (_call, [text = blank]) =>
    (row) =>
      text(row).toLowerCase(),
  upper:
    (_call, [text = blank]) =>
    (row) =>
      text(row).toUpperCase(),
  // Blank for other text: the plan `Fixed Wireless Plus` has no speed.
  number:
    (_call, [text = blank]) =>
    (row) => {
      const value = parseFraction(text(row));
      return value === undefined ? '' : fractionText(value);
    },
  // Other text must not become a missing weight: the household would silently not count.
  weight:
    (call, [text = blank]) =>
    (row) => {
      const written = text(row).trim();
      const value = parseFraction(written);
      if (written === '') return '';
      if (value !== undefined && value.numerator >= 0n) return fractionText(value);
      const [column = ''] = columnsOf(call);
      throw new RefusedCell(`${call.text} must be a number of at least 0`, column, written);
    },
};

function blank(): string {
  return '';
}

function constantText(call: Call, index: number): string {
  const arg = call.args[index];
  if (arg?.kind === 'text') return arg.value;
  throw new MappingError(`argument ${index + 1} of ${call.text} must be text such as '/'`);
}

/** From 1; -1 is the last part. */
function partNumber(call: Call): number {
  const n = Number(call.args[2]?.text);
  if (Number.isSafeInteger(n) && n !== 0) return n;
  throw new MappingError(
    `the number of the part in ${call.text} must be a whole number such as 1, or -1 for the last part`,
  );
}
