import type { Expression } from '../../shared/sql/expression.ts';

/** Conditions joined by OR. */
export function anyOf(conditions: readonly Expression[]): Expression {
  const [only] = conditions;
  return only !== undefined && conditions.length === 1
    ? only
    : ['(', ...joined(conditions, 'OR'), ')'];
}

/** Conditions joined by AND, without parentheses. */
export function allOf(conditions: readonly Expression[]): Expression {
  return joined(conditions, 'AND');
}

function joined(conditions: readonly Expression[], word: 'AND' | 'OR'): readonly Expression[] {
  return conditions.flatMap((one, i) => (i === 0 ? [one] : [`\n    ${word} `, one]));
}
