import { h } from '../dom/h.ts';
import { type ChangedPeriods, diffSegments } from './diff-segments.ts';
import { timeText } from './time-text.ts';

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
