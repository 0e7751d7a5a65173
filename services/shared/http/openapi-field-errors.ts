import type { FieldErrors } from '../errors/app-error.ts';
import { maxProblems } from '../errors/problems.ts';
import { shortened } from '../errors/shortened.ts';

interface OpenApiProblem {
  readonly path: string;
  readonly message: string;
}

/** Converts the validator's errors to the contract's `errors`: `/body/time/from` to `time[from]`. */
export function fieldErrorsOf(problems: readonly OpenApiProblem[]): FieldErrors {
  // A Map, because a client may send a field `constructor`, which every object inherits.
  const errors = new Map<string, string[]>();
  for (const { path, message } of problems.slice(0, maxProblems)) {
    const field = shortened(fieldPath(path));
    errors.set(field, [...(errors.get(field) ?? []), `${capitalised(shortened(message))}.`]);
  }
  return Object.fromEntries(errors);
}

/** `/body/filters/0/id` → `filters[0][id]`; `/query/limit` → `limit`; `/body` → `body`. */
export function fieldPath(path: string): string {
  const steps = path.split('/').filter((step) => step !== '');
  const [place, ...rest] = steps;
  const named = place === 'body' || place === 'query' || place === 'params' ? rest : steps;
  if (named.length === 0) return place ?? 'body';
  return named.map((step, index) => (index === 0 ? step : `[${step}]`)).join('');
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1).replace(/\.$/, '');
}
