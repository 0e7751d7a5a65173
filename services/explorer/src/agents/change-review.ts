import type { MetadataWarning } from '../../../../openapi/client/index.ts';
import type { ChangePreview } from '../api/metadata-api.ts';
import { h } from '../dom/h.ts';
import { changeDiff } from './change-diff.ts';
import { timeText } from './time-text.ts';

interface ReviewActions {
  readonly onSave: () => void;
  readonly onBack: () => void;
}

/** What a change would do, before it is saved. */
export function changeReview(
  { change, warnings }: ChangePreview,
  { onSave, onBack }: ReviewActions,
): HTMLElement {
  if (change === undefined) {
    return h('p', {}, 'Nothing would change: the agent already has these values.');
  }
  return h(
    'section',
    { class: 'review', 'aria-label': 'Review' },
    h('h3', {}, 'This will change'),
    changeDiff(change),
    warnings.length > 0 &&
      h('ul', { class: 'review-warnings' }, ...warnings.map((one) => h('li', {}, textOf(one)))),
    h(
      'div',
      { class: 'buttons' },
      h('button', { type: 'button', class: 'primary', onclick: onSave }, 'Save'),
      h('button', { type: 'button', onclick: onBack }, 'Back'),
    ),
  );
}

/** The message of the service is about a request. */
function textOf({ code, field, from, value, message }: MetadataWarning): string {
  if (code !== 'OVERRIDES_LATER_CHANGES') return message;
  const name = field?.replace(/^metadata\[(?:custom\]\[)?(.*)\]$/, '$1') ?? 'value';
  const replaced = value === null || value === undefined ? 'no value' : `“${value}”`;
  return `Replaces a later change: ${name} was ${replaced} from ${timeText(from ?? null, '')}.`;
}
