import type { AgentMetadata } from '../../../../openapi/client/index.ts';
import { h } from '../dom/h.ts';
import {
  type ChangedPeriods,
  diffSegments,
  type FieldDiff,
  metadataEntries,
} from './diff-segments.ts';
import { timeText } from './time-text.ts';

/** Names and values; those in `changed` are highlighted. */
export function metadataList(
  metadata: AgentMetadata,
  changed: readonly FieldDiff[] = [],
): HTMLElement {
  const isChanged = (name: string) => changed.some(({ field }) => field === name);
  return h(
    'dl',
    { class: 'metadata' },
    ...metadataEntries(metadata).map(([name, value]) =>
      h(
        'div',
        { class: isChanged(name) ? 'changed' : undefined },
        h('dt', {}, name),
        h(
          'dd',
          {},
          value ?? h('span', { class: 'muted' }, 'unknown'),
          isChanged(name) && h('span', { class: 'visually-hidden' }, ' (changed)'),
        ),
      ),
    ),
  );
}

/** The fields that a change changes, with the values before and after it. */
export function changeDiff(change: ChangedPeriods): HTMLElement {
  const segments = diffSegments(change);
  if (segments.length === 0) return h('p', { class: 'hint' }, 'No value changes.');
  return h(
    'ol',
    { class: 'diff' },
    ...segments.map(({ from, to, fields }) =>
      h(
        'li',
        {},
        h('h4', {}, `${timeText(from, 'the beginning')} – ${timeText(to, 'today')}`),
        h(
          'dl',
          {},
          ...fields.map(({ field, before, after }) =>
            h(
              'div',
              {},
              h('dt', {}, field),
              h('dd', {}, valueOf('del', before), ' → ', valueOf('ins', after)),
            ),
          ),
        ),
      ),
    ),
  );
}

function valueOf(tag: 'del' | 'ins', value: string | null): HTMLElement {
  return value === null ? h('span', { class: 'muted' }, 'no value') : h(tag, {}, value);
}
