import { failureOf } from '../api/api-error.ts';
import { metadataApi } from '../api/metadata-api.ts';
import { announce } from '../dom/announce.ts';
import { fill, form, h, notice } from '../dom/h.ts';
import { forgetToken, type PageTab, storedToken, tokenGate } from '../page/token-gate.ts';
import { type AgentLookup, defaultView } from '../state/view-state.ts';
import type { ViewStore } from '../state/view-store.ts';
import { agentList } from './agent-list.ts';
import { agentView } from './agent-view.ts';

interface AgentsTabParts {
  readonly store: ViewStore;
  readonly metadataUrl: string;
  readonly onToken: () => void;
}

/** Long enough that typing does not send a request per letter. */
const searchDelayMs = 250;

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
    const list = agentList({ api, store, onFailure: showFailure });
    const search = h('input', {
      id: 'agent-search',
      type: 'search',
      autocomplete: 'off',
      spellcheck: 'false',
      maxlength: 200,
      placeholder: 'Id, unit, MAC address, ISP or package',
      oninput: () => {
        clearTimeout(timer);
        timer = setTimeout(() => void find(), searchDelayMs);
      },
    });
    let timer: ReturnType<typeof setTimeout> | undefined;
    const searchForm = form(
      'agent-search card',
      () => {
        clearTimeout(timer);
        void find().then(list.open);
      },
      h('label', { class: 'label', for: search.id }, 'Find an agent'),
      search,
    );
    isOpen = true;
    onToken();
    navigate = start;
    fill(element, searchForm, found);
    start();

    /** The agent that the URL names, or all agents. */
    function start(): void {
      clearTimeout(timer);
      const { agent, find: text } = store.view();
      search.value = text;
      if (agent.value === '') void find();
      else void lookUp(agent);
    }

    /** The list again, if an agent is shown. */
    async function find(): Promise<void> {
      const isAgentShown = store.view().agent.value !== '';
      const changes = { agent: defaultView.agent, find: search.value.trim() };
      store.set(changes, isAgentShown ? 'push' : undefined);
      fill(found, list.element);
      await list.find(search.value.trim());
    }

    async function lookUp(lookup: AgentLookup): Promise<void> {
      fill(found, notice('loading', 'Loading…'));
      try {
        const [agent, current, history, changes] = await Promise.all([
          api.agent(lookup),
          api.current(lookup),
          api.history(lookup),
          api.changes(lookup),
        ]);
        const onChanged = async (message: string) => {
          await lookUp(lookup);
          announce(message);
          const outcome = found.querySelector('.outcome');
          outcome?.replaceChildren(h('p', { class: 'good' }, message));
        };
        const details = { agent, current, history, changes };
        const events = { onChanged, onDenied: () => gate(true) };
        fill(found, agentView({ api, view: store.view(), ...details, ...events }));
        announce('Agent found');
      } catch (error) {
        showFailure(error);
      }
    }

    function showFailure(error: unknown): void {
      const { isDenied, status, message } = failureOf(error);
      // Only a link names an agent that does not exist, or a unit that is not a number.
      const isUnknown = status === 404 || status === 422;
      const advice = 'Your organisation has no agent with this value. Search for it above.';
      if (isDenied) gate(true);
      else if (isUnknown) fill(found, notice('empty', 'No such agent', h('p', {}, advice)));
      else fill(found, notice('error', 'Loading failed', h('p', {}, message)));
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
