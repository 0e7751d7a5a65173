import {
  type EvaluatedRow,
  type Expression,
  type FunctionName,
  MappingError,
} from './expression.ts';
import { fractionText, parseFraction } from './fraction.ts';

type Call = Extract<Expression, { readonly kind: 'call' }>;
type Evaluate = (row: EvaluatedRow) => string;

/** Compiles the call of a function. `args` are its compiled arguments. */
export function callFunction(call: Call, args: readonly Evaluate[]): Evaluate {
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
