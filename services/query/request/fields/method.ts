import { type Method, methodFields, methods } from '../../../catalog/methods.ts';
import { findMetric } from '../../../catalog/metrics.ts';
import type { Parsing } from '../parse-context.ts';
import { isObject, type Json } from '../request-body.ts';
import { suggestion } from '../suggestion.ts';
import type { RequestField } from './request-field.ts';

const methodKeys = methods.map(({ key }) => key);

export const methodField: RequestField = {
  component: 'Method',
  schema: { type: 'string', enum: methodKeys },
  about:
    'The method of a regulator, by name: it stands for the fields that `POST /metric_data/explain` returns as `method`. Fields of the request win; `null` leaves one out. The catalogue describes each method.',
  flags: { method: { value: 'NAME', about: methodKeys.join(', '), values: methodKeys } },
};

export function parseMethod(method: unknown, { problems }: Parsing): void {
  if (method === undefined || (typeof method === 'string' && findMethod(method))) return;
  const word = typeof method === 'string' ? method : JSON.stringify(method);
  problems.add('method', `Unknown method. ${suggestion(word, methodKeys)}`);
}

/** The request with the fields of its method. Fields that it has itself win, also if they are null. */
export function expandMethod(body: Json): Json {
  const fields = fieldsOfMethod(body);
  if (fields === undefined) return body;
  const sent = Object.entries(body).filter(([, value]) => value !== undefined);
  return { ...fields, ...Object.fromEntries(sent) };
}

/** The method of a request, with its source and its fields; undefined without one. */
export function explainedMethod(
  body: unknown,
): { readonly key: string; readonly source: string; readonly fields: Json } | undefined {
  const fields = isObject(body) ? fieldsOfMethod(body) : undefined;
  const method = isObject(body) && typeof body.method === 'string' && findMethod(body.method);
  return fields && method ? { key: method.key, source: method.source, fields } : undefined;
}

/** Undefined without a method, or if it or the metric is unknown, which parsing reports. */
function fieldsOfMethod({ method, metric, splits, filters }: Json): Json | undefined {
  const known = typeof method === 'string' ? findMethod(method) : undefined;
  const measured = typeof metric === 'string' ? findMetric(metric) : undefined;
  const splitBy = Array.isArray(splits) ? (splits as readonly unknown[]) : [];
  const filterBy = Array.isArray(filters) ? (filters as readonly unknown[]) : [];
  const asked = [...splitBy, ...filterBy.map((filter) => isObject(filter) && filter.id)];
  const names = asked.filter((name) => typeof name === 'string');
  return known && measured && methodFields(known, measured, names);
}

function findMethod(key: string): Method | undefined {
  return methods.find((method) => method.key === key);
}
