import { parse } from 'yaml';

/** The chart's README: how to install it, and a row for each value that has a comment. */
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

/** Keys of a values file with a comment right before them, in their order. */
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

const introduction = `# netpanel, the chart

Installs the query and the metadata service. ClickHouse, Postgres and the object store are yours; the
chart knows their addresses and, by the names of secrets, their passwords. No secret has a default.

\`\`\`sh
kubectl create secret generic netpanel-postgres \\
  --from-literal=DATABASE_URL='postgres://user:password@host:5432/netpanel'
for role in query metadata migrate; do   # the users of deploy/clickhouse/roles
  kubectl create secret generic netpanel-clickhouse-$role --from-file=password=$role-password
done
helm install netpanel deploy/helm/netpanel -f deploy/helm/netpanel/examples/production.yaml
helm test netpanel
\`\`\`

Examples to start from: \`examples/trial.yaml\`, \`examples/production.yaml\`,
\`examples/clickhouse-cluster.yaml\`. An unknown value is refused (\`values.schema.json\`).

A Job brings both schemas up to date before the new pods start, so migrations must suit the pods of
the version before. Pods run as no root, on a read-only file system, without capabilities and without
a service account token: Pod Security \`restricted\`. Liveness asks no store.

With \`query.tls.existingSecret\` and \`metadata.tls.existingSecret\` the pods serve HTTPS themselves, TLS 1.2 or
later. A secret that changes, as cert-manager renews it, is taken without a restart, about a minute later,
when the kubelet has brought it to the pods. The ops ports, which probes, Prometheus and \`helm test\` ask,
stay plain HTTP and within the cluster. An ingress controller must be told to speak HTTPS to the pods; how
is its own affair: ingress-nginx has \`backend-protocol\`, as in \`examples/production.yaml\`.

This file is generated from the comments in \`values.yaml\`: \`make chart UPDATE=1\`.
`;
