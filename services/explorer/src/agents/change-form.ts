import { ApiError, unexpectedError } from '../api/api-error.ts';
import type { MetadataChange } from '../../../../openapi/client/index.ts';
import type { MetadataApi } from '../api/metadata-api.ts';
import { announce } from '../dom/announce.ts';
import { fill, h } from '../dom/h.ts';
import { fieldSlot, type FieldSlot, placeErrors } from '../form/field-slot.ts';
import type { AgentLookup } from '../state/view-state.ts';
import { customFields } from './custom-fields.ts';

interface ChangeFormParts {
  readonly api: MetadataApi;
  readonly lookup: AgentLookup;
  readonly onChanged: () => Promise<void>;
  readonly onDenied: () => void;
}

/** Validates nothing itself: the error messages of the service are shown beside the fields. */
export function changeForm({ api, lookup, onChanged, onDenied }: ChangeFormParts): HTMLElement {
  const packageName = textInput('Northwave:Fibre 500');
  const timezone = textInput('Europe/London');
  const backdate = h('input', { type: 'datetime-local' });
  const overwrite = h('input', { type: 'checkbox' });
  const custom = customFields();
  const overwriteSlot = fieldSlot({
    label: 'Remove everything else',
    input: overwrite,
    hint: 'Fields left empty above are removed from that time on.',
    handles: (path) => path === 'overwrite_all',
  });
  overwriteSlot.element.classList.add('switch');
  const slots: readonly FieldSlot[] = [
    fieldSlot({
      label: 'Package',
      input: packageName,
      hint: 'ISP:package. The ISP with a colon and no package removes the package.',
      handles: (path) => path === 'metadata[package]',
    }),
    fieldSlot({
      label: 'Time zone',
      input: timezone,
      handles: (path) => path === 'metadata[timezone]',
    }),
    custom.slot,
    fieldSlot({
      label: 'Since (UTC)',
      input: backdate,
      hint: 'At most 28 days ago. Default: midnight today.',
      handles: (path) => path === 'backdate_from',
    }),
    overwriteSlot,
  ];
  const outcome = h('div', { class: 'outcome', role: 'status' });
  const save = h('button', { type: 'submit', class: 'primary' }, 'Save');
  const element = h(
    'form',
    {
      class: 'change-form',
      novalidate: true,
      onsubmit: (event: SubmitEvent) => {
        event.preventDefault();
        void send();
      },
    },
    ...slots.map((slot) => slot.element),
    outcome,
    save,
  );
  return element;

  async function send(): Promise<void> {
    save.disabled = true;
    fill(outcome);
    try {
      const message = await api.change(lookup, filledIn());
      placeErrors(slots, {});
      await onChanged();
      announce(message);
      document
        .querySelector('.agent .outcome')
        ?.replaceChildren(h('p', { class: 'good' }, message));
    } catch (error) {
      showFailure(error);
    } finally {
      save.disabled = false;
    }
  }

  function filledIn(): Omit<MetadataChange, 'agent'> {
    const metadata = {
      ...(packageName.value === '' ? {} : { package: packageName.value }),
      ...(timezone.value === '' ? {} : { timezone: timezone.value }),
      ...(custom.filledIn() === undefined ? {} : { custom: custom.filledIn() ?? {} }),
    };
    return {
      metadata,
      // The picker has no time zone; the label says UTC.
      ...(backdate.value === ''
        ? {}
        : { backdate_from: Math.floor(Date.parse(`${backdate.value}Z`) / 1000) }),
      ...(overwrite.checked ? { overwrite_all: true } : {}),
    };
  }

  function showFailure(error: unknown): void {
    const failure = error instanceof ApiError ? error : undefined;
    if (failure?.isDenied === true) {
      onDenied();
      return;
    }
    const others = placeErrors(slots, failure?.errors ?? {});
    const message = failure?.message ?? unexpectedError;
    const lines = [message, ...others].map((line) => h('p', { class: 'field-error' }, line));
    fill(outcome, ...lines);
    element.querySelector<HTMLElement>('.has-error input')?.focus();
  }
}

function textInput(placeholder: string): HTMLInputElement {
  return h('input', { type: 'text', autocomplete: 'off', spellcheck: 'false', placeholder });
}
