/** The time range of a dashboard. */
export interface TimeRange {
  readonly from: Date;
  readonly to: Date;
}

/**
 * Expands the macros that the dashboards use, as grafana-clickhouse-datasource 4 does (pkg/macros/macros.go), and
 * variables as Grafana does.
 */
export function expandSql(
  sql: string,
  range: TimeRange,
  variables: Readonly<Record<string, readonly string[]>>,
): string {
  const [from, to] = [range.from, range.to].map(
    (time) => `toDateTime(${Math.floor(time.getTime() / 1000)})`,
  );
  const expanded = withVariables(sql, variables)
    .replace(/\$__timeFilter\(([^)]*)\)/g, `$1 >= ${from} AND $1 <= ${to}`)
    .replaceAll('$__fromTime', from ?? '')
    .replaceAll('$__toTime', to ?? '');
  if (expanded.includes('$')) throw new Error(`A macro or variable is unknown: ${expanded}`);
  return expanded;
}

/** Expands `${__from:date:YYYY-MM-DD HH:mm:ss}`; the dashboards are in UTC. */
export function expandBody(body: string, range: TimeRange): string {
  const text = (time: Date) => time.toISOString().slice(0, 19).replace('T', ' ');
  const expanded = body
    .replaceAll('${__from:date:YYYY-MM-DD HH:mm:ss}', text(range.from))
    .replaceAll('${__to:date:YYYY-MM-DD HH:mm:ss}', text(range.to));
  if (expanded.includes('$')) throw new Error(`A variable is unknown: ${expanded}`);
  return expanded;
}

function withVariables(
  sql: string,
  variables: Readonly<Record<string, readonly string[]>>,
): string {
  return sql.replace(/\$\{(\w+)(:singlequote)?\}/g, (all, name: string, quoted?: string) => {
    const values = variables[name];
    if (values === undefined) return all;
    if (quoted === undefined) return values.join(',');
    return values.map((value) => `'${value.replaceAll("'", String.raw`\'`)}'`).join(',');
  });
}
