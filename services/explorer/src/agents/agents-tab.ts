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
import { agentView } from './agent-view.ts';
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
      if (agent.value === '') fill(found, hint());
      else void find(agent);
    };
    start();
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
      const [current, history] = await Promise.all([api.current(lookup), api.history(lookup)]);
      const reload = () => lookUp(api, lookup, found, showErrors);
      fill(
        found,
        agentView({ api, lookup, current, history, onChanged: reload, onDenied: () => gate(true) }),
      );
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

function hint(): HTMLElement {
  const text =
    'Enter an agent id, a unit number or a MAC address. Dashes, colons and case are ignored.';
  return notice('empty', 'Find an agent', h('p', {}, text));
}

function notConfigured(): HTMLElement {
  const text =
    'The address of the metadata service is not configured. The operator can set EXPLORER_METADATA_URL.';
  return notice('empty', 'Agents are not available', h('p', {}, text));
}
