import { failureOf, type FieldErrors } from '../api/api-error.ts';
import { metadataApi } from '../api/metadata-api.ts';
import { announce } from '../dom/announce.ts';
import { fill, form, h, notice, select, textInput } from '../dom/h.ts';
import { forgetToken, type PageTab, storedToken, tokenGate } from '../page/token-gate.ts';
import type { AgentLookup, LookupField } from '../state/view-state.ts';
import type { ViewStore } from '../state/view-store.ts';
import { agentBrowser } from './agent-browser.ts';
import { agentView } from './agent-view.ts';
import { fieldSlot, placeErrors } from '../form/field-slot.ts';

interface AgentsTabParts {
  readonly store: ViewStore;
  readonly metadataUrl: string;
  readonly onToken: () => void;
}

/** Finds an agent, shows its history, and changes its metadata. */
export function agentsTab({ store, metadataUrl, onToken }: AgentsTabParts): PageTab {
  const element = h('div', { class: 'agents-tab' });
  let isOpen = false;
  let navigate: (() => void) | undefined;

  function gate(isDenied: boolean): void {
    isOpen = false;
    navigate = undefined;
    if (isDenied) forgetToken('metadata');
    onToken();
    fill(element, tokenGate({ kind: 'metadata', isDenied, onToken: open }));
  }

  function open(token: string): void {
    const api = metadataApi(metadataUrl, token);
    const found = h('div', { class: 'agent-found' });
    isOpen = true;
    onToken();
    navigate = start;
    start();

    /** The agent that the URL names, or all agents. */
    function start(): void {
      const { agent } = store.view();
      const form = lookupForm(agent, (lookup) => {
        store.set({ agent: lookup }, 'push');
        void lookUp(lookup, form.showErrors);
      });
      fill(element, form.element, found);
      if (agent.value !== '') void lookUp(agent, form.showErrors);
      else {
        const onFailure = (error: unknown) => showFailure(error, form.showErrors);
        fill(found, agentBrowser({ api, store, onFailure }));
      }
    }

    async function lookUp(lookup: AgentLookup, showErrors: ShowErrors): Promise<void> {
      showErrors({});
      fill(found, notice('loading', 'Loading…'));
      try {
        const [agent, current, history, changes] = await Promise.all([
          api.agent(lookup),
          api.current(lookup),
          api.history(lookup),
          api.changes(lookup),
        ]);
        const onChanged = async (message: string) => {
          await lookUp(lookup, showErrors);
          announce(message);
          const outcome = found.querySelector('.outcome');
          outcome?.replaceChildren(h('p', { class: 'good' }, message));
        };
        const details = { agent, current, history, changes };
        const events = { onChanged, onDenied: () => gate(true) };
        fill(found, agentView({ api, view: store.view(), ...details, ...events }));
        announce('Agent found');
      } catch (error) {
        showFailure(error, showErrors);
      }
    }

    function showFailure(error: unknown, showErrors: ShowErrors): void {
      const { isDenied, status, message, errors } = failureOf(error);
      if (isDenied) gate(true);
      else if (status === 404) {
        const advice = 'Your organisation has no agent with this value.';
        fill(found, notice('empty', 'No such agent', h('p', {}, advice)));
      } else if (status === 422) {
        fill(found);
        showErrors(errors);
      } else fill(found, notice('error', 'Loading failed', h('p', {}, message)));
    }
  }

  return {
    element,
    show: () => {
      if (metadataUrl === '') {
        fill(element, notConfigured());
        return;
      }
      if (isOpen) return;
      const token = storedToken('metadata');
      if (token === undefined) gate(false);
      else open(token);
    },
    navigate: () => navigate?.(),
    forget: () => {
      forgetToken('metadata');
      gate(false);
    },
  };
}

function notConfigured(): HTMLElement {
  const text =
    'The address of the metadata service is not configured. The operator can set EXPLORER_METADATA_URL.';
  return notice('empty', 'Agents are not available', h('p', {}, text));
}

const fieldNames: readonly (readonly [LookupField, string])[] = [
  ['agent', 'Agent id'],
  ['unit', 'Unit'],
  ['mac', 'MAC address'],
];

type ShowErrors = (errors: FieldErrors) => void;

function lookupForm(given: AgentLookup, onFind: (lookup: AgentLookup) => void) {
  const by = select(fieldNames, given.field, () => undefined);
  const value = textInput();
  value.value = given.value;
  const bySlot = fieldSlot({ label: 'Find by', input: by, handles: (path) => path === 'field' });
  const valueSlot = fieldSlot({
    label: 'Value',
    input: value,
    handles: (path) => path === 'value',
  });
  const element = form(
    'lookup card',
    () => {
      const text = value.value.trim();
      if (text === '') value.focus();
      else onFind({ field: by.value as LookupField, value: text });
    },
    bySlot.element,
    valueSlot.element,
    h('button', { type: 'submit', class: 'primary' }, 'Find'),
  );
  return {
    element,
    showErrors: (errors: FieldErrors) => void placeErrors([bySlot, valueSlot], errors),
  };
}
