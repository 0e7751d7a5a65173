import { ApiError, unexpectedError } from '../api/api-error.ts';
import { metadataApi, type MetadataApi } from '../api/metadata-api.ts';
import { announce } from '../dom/announce.ts';
import { fill, h } from '../dom/h.ts';
import { notice } from '../dom/notice.ts';
import type { PageTab } from '../page/page-tab.ts';
import { tokenGate } from '../page/token-gate.ts';
import { forgetToken, storedToken } from '../state/tokens.ts';
import type { AgentLookup } from '../state/view-state.ts';
import type { ViewStore } from '../state/view-store.ts';
import { agentBrowser } from './agent-browser.ts';
import { type AgentDetails, agentView } from './agent-view.ts';
import { lookupForm } from './lookup-form.ts';

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
    isOpen = true;
    onToken();
    const found = h('div', { class: 'agent-found' });
    const paint = () => {
      const { agent } = store.view();
      const form = lookupForm(agent, (lookup) => {
        store.set({ agent: lookup }, 'push');
        void find(lookup);
      });
      fill(element, form.element, found);
      return (lookup: AgentLookup) => lookUp(api, lookup, found, form.showErrors);
    };
    let find = paint();
    navigate = () => {
      find = paint();
      start();
    };
    const start = () => {
      const { agent } = store.view();
      if (agent.value === '') browse(api, found);
      else void find(agent);
    };
    start();
  }

  function browse(api: MetadataApi, found: HTMLElement): void {
    const onFailure = (error: unknown) => showFailure(error, found, () => undefined);
    fill(found, agentBrowser({ api, store, onFailure }));
  }

  async function lookUp(
    api: MetadataApi,
    lookup: AgentLookup,
    found: HTMLElement,
    showErrors: (errors: ApiError['errors']) => void,
  ): Promise<void> {
    showErrors({});
    fill(found, notice('loading', 'Loading…'));
    try {
      const details = await detailsOf(api, lookup);
      const onChanged = async (message: string) => {
        await lookUp(api, lookup, found, showErrors);
        announce(message);
        const outcome = found.querySelector('.outcome');
        outcome?.replaceChildren(h('p', { class: 'good' }, message));
      };
      const view = store.view();
      fill(found, agentView({ api, view, onChanged, onDenied: () => gate(true), ...details }));
      announce('Agent found');
    } catch (error) {
      showFailure(error, found, showErrors);
    }
  }

  function showFailure(
    error: unknown,
    found: HTMLElement,
    showErrors: (errors: ApiError['errors']) => void,
  ): void {
    const failure = error instanceof ApiError ? error : undefined;
    if (failure?.isDenied === true) gate(true);
    else if (failure?.status === 404) {
      const advice = 'Your organisation has no agent with this value.';
      fill(found, notice('empty', 'No such agent', h('p', {}, advice)));
    } else if (failure?.status === 422) {
      fill(found);
      showErrors(failure.errors);
    } else {
      const message = failure?.message ?? unexpectedError;
      fill(found, notice('error', 'Loading failed', h('p', {}, message)));
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

async function detailsOf(api: MetadataApi, lookup: AgentLookup): Promise<AgentDetails> {
  const [agent, current, history, changes] = await Promise.all([
    api.agent(lookup),
    api.current(lookup),
    api.history(lookup),
    api.changes(lookup),
  ]);
  return { agent, current, history, changes };
}

function notConfigured(): HTMLElement {
  const text =
    'The address of the metadata service is not configured. The operator can set EXPLORER_METADATA_URL.';
  return notice('empty', 'Agents are not available', h('p', {}, text));
}
