import type { AgentMetadata } from '../../../../openapi/client/index.ts';
import { h } from '../dom/h.ts';
import { metadataEntries } from './metadata-entries.ts';

/** Names and values; those in `changed` are highlighted. */
export function metadataList(
  metadata: AgentMetadata,
  changed: ReadonlySet<string> = new Set(),
): HTMLElement {
  return h(
    'dl',
    { class: 'metadata' },
    ...metadataEntries(metadata).map(([name, value]) =>
      h(
        'div',
        { class: changed.has(name) ? 'changed' : undefined },
        h('dt', {}, name),
        h(
          'dd',
          {},
          value ?? h('span', { class: 'muted' }, 'unknown'),
          changed.has(name) && h('span', { class: 'visually-hidden' }, ' (changed)'),
        ),
      ),
    ),
  );
}
