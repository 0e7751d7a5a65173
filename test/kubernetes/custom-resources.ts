/** Kinds of the Prometheus operator and of the Gateway API that the chart uses, without their schemas. */
export const customResources = [
  definition('monitoring.coreos.com', 'ServiceMonitor', 'servicemonitors'),
  definition('monitoring.coreos.com', 'PrometheusRule', 'prometheusrules'),
  definition('gateway.networking.k8s.io', 'HTTPRoute', 'httproutes'),
];

function definition(group: string, kind: string, plural: string): object {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {
      name: `${plural}.${group}`,
      // The API server accepts definitions below *.k8s.io only with a reference to their approval.
      annotations: { 'api-approved.kubernetes.io': 'unapproved, a test' },
    },
    spec: {
      group,
      scope: 'Namespaced',
      names: { kind, plural, singular: kind.toLowerCase() },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
          },
        },
      ],
    },
  };
}
