/** Attributes of a Postgres span, without values. */
export function postgresSpanAttributes(operation: string): Record<string, string> {
  return { 'db.system.name': 'postgresql', 'db.operation.name': operation };
}
