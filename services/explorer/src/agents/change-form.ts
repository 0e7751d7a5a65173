import { ApiError, unexpectedError } from '../api/api-error.ts';
import type { Agent } from '../../../../openapi/client/index.ts';
import type { AgentUpdate, MetadataApi } from '../api/metadata-api.ts';
import { fill, h } from '../dom/h.ts';
import { fieldSlot, type FieldSlot, placeErrors } from '../form/field-slot.ts';
import { changeReview } from './change-review.ts';
import { customFields } from './custom-fields.ts';

interface ChangeFormParts {
  readonly api: MetadataApi;
  readonly agent: Agent;
  readonly onChanged: (message: string) => Promise<void>;
  readonly onDenied: () => void;
}

/**
 * A change in two steps: its effect on the history is shown, and then it is saved. Validates nothing itself: the error
 * messages of the service are shown beside the fields.
 */
export function changeForm({ api, agent, onChanged, onDenied }: ChangeFormParts): HTMLElement {
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
  const fields = h('fieldset', {}, ...slots.map((slot) => slot.element));
  const outcome = h('div', { class: 'outcome', role: 'status' });
  const review = h('button', { type: 'submit', class: 'primary' }, 'Review change');
  const element = h(
    'form',
    {
      class: 'change-form',
      novalidate: true,
      onsubmit: (event: SubmitEvent) => {
        event.preventDefault();
        void preview(filledIn());
      },
    },
    fields,
    outcome,
    review,
  );
  return element;

  async function preview(update: AgentUpdate): Promise<void> {
    await attempt(async () => {
      const shown = await api.preview(agent.agentId, update);
      placeErrors(slots, {});
      // What is saved must be what was reviewed.
      fields.disabled = shown.change !== undefined;
      review.hidden = fields.disabled;
      fill(outcome, changeReview(shown, { onSave: () => void save(update), onBack: edit }));
      outcome.querySelector('button')?.focus();
    });
  }

  function edit(): void {
    fields.disabled = false;
    review.hidden = false;
    fill(outcome);
    packageName.focus();
  }

  async function save(update: AgentUpdate): Promise<void> {
    for (const button of outcome.querySelectorAll('button')) button.disabled = true;
    await attempt(async () => onChanged(await api.change(agent.agentId, update)));
  }

  async function attempt(work: () => Promise<void>): Promise<void> {
    review.disabled = true;
    try {
      await work();
    } catch (error) {
      edit();
      showFailure(error);
    } finally {
      review.disabled = false;
    }
  }

  function filledIn(): AgentUpdate {
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
