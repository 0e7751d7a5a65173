import { expandMethod } from './fields/method.ts';
import { metricFieldNames, metricFields } from './fields/metric-fields.ts';
import { withoutDefaults } from './fields/shapes.ts';
import { isObject, type Json } from './request-body.ts';

/**
 * A request for metric data as it is validated: with the fields of its method, each field in the form of the contract.
 * Generated clients send nulls and defaults, which are removed last, because a null removes a field of the method.
 */
export function canonicalRequest(sent: unknown): Json {
  return withoutDefaults(fieldsWithMethod(sent), metricFields);
}

/** The fields of a request and of its method, each in the form of the contract. Nulls and defaults are included. */
export function fieldsWithMethod(sent: unknown): Json {
  if (!isObject(sent)) return {};
  // A body may have thousands of unknown fields with long names, of which a copy would take long.
  const known = metricFieldNames.filter((name) => sent[name] !== undefined);
  const body = expandMethod(Object.fromEntries(known.map((name) => [name, sent[name]])));
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => {
      const { inFull } = metricFields[name] ?? {};
      return [name, inFull === undefined ? value : inFull(value)];
    }),
  );
}
