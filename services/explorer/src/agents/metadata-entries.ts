import type { AgentMetadata } from '../../../../openapi/client/index.ts';

/** Names and values of all fields, in the order in which they are shown. */
export function metadataEntries(
  metadata: AgentMetadata,
): readonly (readonly [string, string | null])[] {
  return [
    ['ISP', metadata.isp],
    ['Package', metadata.package],
    ['Time zone', metadata.timezone],
    ...Object.entries(metadata.custom).map(([key, value]) => [key, String(value)] as const),
  ];
}
