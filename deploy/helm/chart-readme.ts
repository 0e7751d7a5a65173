import { parse } from 'yaml';

/** The chart's README: how to install it, and the values that are required. */
export function chartReadme(values: string): string {
  const required = valueRows(values).filter(({ meaning }) =>
    /Required(?:\.| when| with)/.test(meaning),
  );
  const rows = withoutRepeats(required).map(({ path, meaning }) => `| \`${path}\` | ${meaning} |`);
  return [introduction, '| value | meaning |', '| --- | --- |', ...rows, ''].join('\n');
}

/** `clickhouse.users.` `query` `.passwordKey` */
const serviceInPath = /^(|.*\.)(query|metadata|ingest|migrate|migrations)(\..*)$/;

/** Values that several services have with the same default and meaning are one row: `{query,metadata}.replicas`. */
function withoutRepeats(rows: readonly ValueRow[]): readonly ValueRow[] {
  const merged = new Map<string, ValueRow & { readonly services: readonly string[] }>();
  for (const row of rows) {
    const [, before = '', service, after = ''] = serviceInPath.exec(row.path) ?? [];
    const key = JSON.stringify([service && before, after || row.path, row.fallback, row.meaning]);
    const services = [...(merged.get(key)?.services ?? []), ...(service ? [service] : [])];
    const path = services.length > 1 ? `${before}{${services.join(',')}}${after}` : row.path;
    merged.set(key, { ...row, path, services });
  }
  return [...merged.values()];
}

export interface ValueRow {
  readonly path: string;
  readonly fallback: string;
  readonly meaning: string;
}

/** The keys of a values file that have a comment directly before them, in order. */
export function valueRows(text: string): readonly ValueRow[] {
  const values = parse(text) as unknown;
  const rows: ValueRow[] = [];
  const path: string[] = [];
  let comment: string[] = [];
  for (const line of text.split('\n')) {
    const [, indent = '', remark, key] = /^( *)(?:# ?(.*)|([\w-]+):.*)$/.exec(line) ?? [];
    if (remark !== undefined) comment.push(remark);
    if (key !== undefined) {
      path.splice(indent.length / 2, Infinity, key);
      const fallback = JSON.stringify(valueAt(values, path));
      const meaning = comment.join(' ');
      if (meaning !== '') rows.push({ path: path.join('.'), fallback, meaning });
    }
    if (remark === undefined) comment = [];
  }
  return rows;
}

function valueAt(values: unknown, path: readonly string[]): unknown {
  return path.reduce((value, key) => (value as Record<string, unknown>)[key], values);
}

const introduction = `# Helm chart of netpanel

Installs the query, the metadata and the ingestion service. It uses your ClickHouse, Postgres and object store: set their addresses and the names of the secrets with their passwords. No secret has a default. [Install and upgrade](../../../docs/install.md) describes the users of both databases.

\`\`\`sh
kubectl create secret generic netpanel-postgres \\
  --from-literal=DATABASE_URL='postgres://owner:password@host:5432/netpanel' \\
  --from-literal=QUERY_DATABASE_URL='postgres://query-user:password@host:5432/netpanel' \\
  --from-literal=METADATA_DATABASE_URL='postgres://metadata-user:password@host:5432/netpanel' \\
  --from-literal=INGEST_DATABASE_URL='postgres://ingest-user:password@host:5432/netpanel'
for role in query metadata ingest migrate; do   # the users of deploy/clickhouse/roles
  kubectl create secret generic netpanel-clickhouse-$role --from-file=password=$role-password
done
kubectl create secret generic netpanel-object-store \\
  --from-literal=S3_BUCKET=exports --from-literal=S3_REGION=eu-west-1 \\
  --from-literal=S3_ACCESS_KEY_ID='<key id>' --from-literal=S3_SECRET_ACCESS_KEY='<secret>'
kubectl create secret generic netpanel-export-links \\
  --from-literal=EXPORT_LINK_SECRET="$(openssl rand -hex 32)"
helm install netpanel deploy/helm/netpanel -f deploy/helm/netpanel/examples/production.yaml
helm test netpanel
\`\`\`

Start from \`examples/trial.yaml\`, \`examples/production.yaml\` or \`examples/clickhouse-cluster.yaml\`. Unknown values are rejected (\`values.schema.json\`).

- **Custom resources:** the production example needs the CRDs of the Prometheus operator, \`route\` those of the Gateway API. The chart is refused without them.
- **Exports** need an object store. Without one the chart allows one query pod, which keeps the files in a volume. Links need the address that clients use: \`query.ingress\`, \`query.route\` or \`query.settings.PUBLIC_URL\`. The chart generates the secret that signs links and keeps it. Where charts are rendered without access to the cluster (\`helm template\`, Argo CD), set \`query.exportLinks.existingSecret\`.
- **Migrations:** a Job migrates both schemas before the new pods start, so migrations must be compatible with the pods of the previous version. Its NetworkPolicy and service account are created first, so the chart can be installed in a namespace that denies all traffic.
- **Pods** run as non-root, on a read-only file system, without capabilities and without a service account token (Pod Security \`restricted\`). The liveness probe does not check the databases.
- **TLS:** with \`tls.existingSecret\` of \`query\`, \`metadata\` and \`ingest\` the pods serve HTTPS. Configure the ingress controller to use HTTPS to the pods: ingress-nginx has \`backend-protocol\`, as in \`examples/production.yaml\`. Postgres checks a private authority only if its URL has \`?sslmode=verify-full\`.
- **Monitoring:** \`prometheusRule\` and \`dashboard\` install \`deploy/prometheus\` and \`deploy/grafana\`.

\`helm show values deploy/helm/netpanel\` prints every value with its default and meaning. These are required; the table is generated from the comments in \`values.yaml\` by \`make chart UPDATE=1\`:
`;
