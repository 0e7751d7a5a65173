import { parse } from 'yaml';

/** The chart's README: how to install it, and one row per value with a comment. */
export function chartReadme(values: string): string {
  const rows = valueRows(values).map(
    ({ path, fallback, meaning }) => `| \`${path}\` | \`${fallback}\` | ${meaning} |`,
  );
  return [introduction, '| value | default | meaning |', '| --- | --- | --- |', ...rows, ''].join(
    '\n',
  );
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

Installs the query, the metadata and the ingestion service. It uses your ClickHouse, Postgres and object store: set their
addresses and the names of the secrets with their passwords. No secret has a default.

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

Examples to start from: \`examples/trial.yaml\`, \`examples/production.yaml\`,
\`examples/clickhouse-cluster.yaml\`. Unknown values are rejected (\`values.schema.json\`).

The production example needs the CRDs of the Prometheus operator, and \`route\` those of the Gateway API: install them
first, or the chart is refused. Exports need an object store; without one the chart allows one query pod, which keeps
the files in a volume. Export links need the address that clients use: \`query.ingress\`, \`query.route\` or
\`query.settings.PUBLIC_URL\`. Their secret is generated and kept by upgrades, except where the chart is rendered
without access to the cluster (\`helm template\`, Argo CD): set \`query.exportLinks.existingSecret\` there.

A Job migrates both schemas before the new pods start, so migrations must be compatible with the pods of the
previous version. Its NetworkPolicy and service account are created before it, so the chart can be installed in a
namespace that denies all traffic. Pods run as non-root, on a read-only file system, without capabilities and without a
service account token: Pod Security \`restricted\`. The liveness probe does not check the databases.

With \`tls.existingSecret\` of \`query\`, \`metadata\` and \`ingest\` their pods serve HTTPS, TLS 1.2 or later. A
renewed secret, for example of cert-manager, is loaded without a restart, about a minute later, when the
kubelet has updated it in the pods. The ops ports for probes, Prometheus and \`helm test\` stay plain HTTP and
inside the cluster. Configure the ingress controller to use HTTPS to the pods: ingress-nginx has
\`backend-protocol\`, as in \`examples/production.yaml\`.

Postgres checks a private authority only if its URL asks for it: \`?sslmode=verify-full\`. Alerts and dashboard
(\`prometheusRule\`, \`dashboard\`) are those of \`deploy/prometheus\` and \`deploy/grafana\`.

This file is generated from the comments in \`values.yaml\`: \`make chart UPDATE=1\`.
`;
