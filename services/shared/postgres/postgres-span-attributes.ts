/** What a span says of work in Postgres; never its values. */
export function postgresSpanAttributes(operation: string): Record<string, string> {
  return { 'db.system.name': 'postgresql', 'db.operation.name': operation };
}
