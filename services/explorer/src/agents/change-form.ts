import { failureOf } from '../api/api-error.ts';
import type { CustomFields, MetadataWarning } from '../../../../openapi/client/index.ts';
import type { AgentUpdate, ChangePreview } from '../api/metadata-api.ts';
import { button, fill, form, freshId, h, quietButton, textInput } from '../dom/h.ts';
import { fieldSlot, type FieldSlot, placeErrors, switchSlot } from '../form/field-slot.ts';
import type { AgentContext } from './agent-context.ts';
import { changeDiff } from './metadata-list.ts';
import { timeText } from './time-text.ts';

/**
 * A change in two steps: shows its effect on the history, then saves it. Validates nothing itself: the service's error
 * messages appear next to the fields.
 */
export function changeForm({ api, agent, onChanged, onDenied }: AgentContext): HTMLElement {
  const packages = h('datalist', { id: freshId('packages') });
  const packageName = textInput({
    placeholder: 'Northwave:Fibre 500',
    list: packages.id,
    onfocus: () => void suggest(),
    oninput: () => void suggest(),
  });
  const zones = h(
    'datalist',
    { id: freshId('zones') },
    ...Intl.supportedValuesOf('timeZone').map((value) => h('option', { value })),
  );
  const timezone = textInput({ placeholder: 'Europe/London', list: zones.id });
  const backdate = h('input', { type: 'datetime-local' });
  let isOverwriting = false;
  const custom = customFields();
  const slots: readonly FieldSlot[] = [
    fieldSlot({
      label: 'Package',
      input: packageName,
      control: h('div', {}, packageName, packages),
      hint: 'ISP:package; the list has the packages of other agents. Enter the ISP and a colon to remove the package.',
      handles: (path) => path === 'metadata[package]',
    }),
    fieldSlot({
      label: 'Time zone',
      input: timezone,
      control: h('div', {}, timezone, zones),
      handles: (path) => path === 'metadata[timezone]',
    }),
    custom.slot,
    fieldSlot({
      label: 'Since (UTC)',
      input: backdate,
      hint: 'At most 28 days ago. Default: midnight today.',
      handles: (path) => path === 'backdate_from',
    }),
    switchSlot(
      'Remove everything else',
      'From that time on, removes all fields left empty above.',
      'overwrite_all',
      isOverwriting,
      (isOn) => {
        isOverwriting = isOn;
      },
    ),
  ];
  const fields = h('fieldset', {}, ...slots.map((slot) => slot.element));
  const outcome = h('div', { class: 'outcome', role: 'status' });
  const review = h('button', { type: 'submit', class: 'primary' }, 'Review change');
  const element = form('change-form', () => void preview(filledIn()), fields, outcome, review);
  return element;

  /** The packages that match. Without them the field still takes any text. */
  async function suggest(): Promise<void> {
    const typed = packageName.value;
    const found = await api.packages(typed.trim()).catch(() => []);
    // A later letter has started another search.
    if (typed !== packageName.value) return;
    fill(packages, ...found.map((value) => h('option', { value })));
  }

  async function preview(update: AgentUpdate): Promise<void> {
    await attempt(async () => {
      const shown = await api.preview(agent.agentId, update);
      placeErrors(slots, {});
      // What is saved must be what was reviewed.
      fields.disabled = shown.change !== undefined;
      review.hidden = fields.disabled;
      fill(
        outcome,
        changeReview(shown, () => void save(update), edit),
      );
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
      ...(isOverwriting ? { overwrite_all: true } : {}),
    };
  }

  function showFailure(error: unknown): void {
    const { isDenied, message, errors } = failureOf(error);
    if (isDenied) {
      onDenied();
      return;
    }
    const others = placeErrors(slots, errors);
    const lines = [message, ...others].map((line) => h('p', { class: 'field-error' }, line));
    fill(outcome, ...lines);
    element.querySelector<HTMLElement>('.has-error input')?.focus();
  }
}

/** What a change would do, before it is saved. */
function changeReview(
  { change, warnings }: ChangePreview,
  onSave: () => void,
  onBack: () => void,
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
      button('Save', onSave, { class: 'primary' }),
      button('Back', onBack),
    ),
  );
}

/** The message of the service is about a request. */
function textOf({ code, field, from, value, message }: MetadataWarning): string {
  if (code !== 'OVERRIDES_LATER_CHANGES') return message;
  const name = field?.replace(/^metadata\[(?:custom\]\[)?(.*)\]$/, '$1') ?? 'value';
  const isText = typeof value === 'string' || typeof value === 'number';
  const replaced = isText ? `“${value}”` : 'no value';
  return `Replaces a later change: ${name} was ${replaced} from ${timeText(from ?? null, '')}.`;
}

/** Rows of key and value. A value that is a number is sent as a number. */
function customFields() {
  const rows = h('div', { class: 'custom-rows' });
  const add = quietButton('Add a field', () => addRow().focus());
  addRow();
  const slot = fieldSlot({
    label: 'Custom fields',
    control: h('div', {}, rows, add),
    handles: (path) => path === 'metadata[custom]' || path.startsWith('metadata[custom]['),
  });
  return { slot, filledIn };

  function addRow(): HTMLInputElement {
    const number = rows.children.length + 1;
    const key = cell('key', `Key of custom field ${number}`);
    rows.append(
      h('div', { class: 'custom-row' }, key, cell('value', `Value of custom field ${number}`)),
    );
    return key;
  }

  function cell(placeholder: string, label: string): HTMLInputElement {
    return textInput({ placeholder, 'aria-label': label });
  }

  /** Undefined when nothing is filled in. */
  function filledIn(): CustomFields | undefined {
    const pairs = [...rows.children].flatMap((row) => {
      const [key, value] = [...row.querySelectorAll('input')].map((input) => input.value.trim());
      return key === undefined || key === '' ? [] : [[key, asTyped(value ?? '')] as const];
    });
    return pairs.length === 0 ? undefined : Object.fromEntries(pairs);
  }
}

function asTyped(text: string): string | number {
  // 500 is a number; 007 and a number too long to be exact are text.
  return text !== '' && Number.isFinite(Number(text)) && String(Number(text)) === text
    ? Number(text)
    : text;
}
