import { ApiError } from '../api/call-api.ts';
import { dataApi, type DataApi } from '../api/data-api.ts';
import type { Field, Metric } from '../../../../openapi/client/index.ts';
import { fill, h } from '../dom/h.ts';
import { notice } from '../dom/notice.ts';
import { queryForm, type QueryForm } from '../form/query-form.ts';
import { resultsView, type ResultsView } from '../results/results-view.ts';
import { forgetToken, keptToken } from '../state/tokens.ts';
import { plainLook, type Question } from '../state/view-state.ts';
import type { ViewStore } from '../state/view-store.ts';
import type { PageTab } from './page-tab.ts';
import { tokenGate } from './token-gate.ts';

/** From token to chart. `onToken` hears whether there is a token now. */
export function dataTab(store: ViewStore, onToken: () => void): PageTab {
  const element = h('div', { class: 'data-tab' });
  let results: ResultsView | undefined;
  let travelTo: (() => void) | undefined;

  function gate(isDenied: boolean): void {
    results?.close();
    results = undefined;
    travelTo = undefined;
    if (isDenied) forgetToken('data');
    onToken();
    fill(element, tokenGate({ kind: 'data', isDenied, onToken: (token) => void enter(token) }));
  }

  async function enter(token: string): Promise<void> {
    const api = dataApi(token);
    fill(element, notice('loading', 'Reading what there is to ask for…'));
    try {
      const [metrics, fields] = await Promise.all([api.metrics(), api.fields()]);
      onToken();
      if (metrics.length > 0) explore(api, metrics, fields);
      else fill(element, nothingGranted());
    } catch (error) {
      if (error instanceof ApiError && error.status === 403) {
        gate(true);
        return;
      }
      const message =
        error instanceof ApiError ? error.message : 'Something went wrong on this page.';
      const again = h('button', { type: 'button', onclick: () => void enter(token) }, 'Try again');
      fill(element, notice('error', 'No answer', h('p', {}, message), again));
    }
  }

  function explore(api: DataApi, metrics: readonly Metric[], fields: readonly Field[]): void {
    const aside = h('aside', { class: 'question', 'aria-label': 'Question' });
    let form: QueryForm;
    const found = resultsView({
      api,
      metrics,
      store,
      onErrors: (errors) => {
        if (Object.keys(errors).length > 0) setOpen(true);
        form.showErrors(errors);
      },
      onDenied: () => gate(true),
    });
    results = found;
    const toggle = h(
      'button',
      {
        type: 'button',
        class: 'question-toggle',
        'aria-expanded': 'true',
        onclick: () => setOpen(!isOpen()),
      },
      'Question',
    );
    const isOpen = () => toggle.getAttribute('aria-expanded') === 'true';
    const setOpen = (shouldOpen: boolean) =>
      toggle.setAttribute('aria-expanded', String(shouldOpen));

    function ask(question: Question): void {
      const { look, question: before } = store.view();
      const isSameSplit = JSON.stringify(before.splits) === JSON.stringify(question.splits);
      const switches = isSameSplit ? {} : { switchedOn: [], switchedOff: [], sort: plainLook.sort };
      store.set({ question, look: { ...look, zoom: undefined, ...switches } }, 'step');
      setOpen(false);
      void found.ask(question);
    }

    function paintForm(): void {
      const { question } = store.view();
      form = queryForm({
        metrics,
        fields,
        valuesOf: (field, search) => api.fieldValues(field, search),
        question,
        onAsk: ask,
      });
      fill(aside, toggle, form.element);
    }

    travelTo = () => {
      paintForm();
      void found.ask(store.view().question);
    };
    const { question } = store.view();
    const first = metrics[0];
    if (question.metric === '' && first !== undefined) {
      store.set({ question: { ...question, metric: first.key } });
    }
    paintForm();
    setOpen(false);
    fill(element, aside, found.element);
    void found.ask(store.view().question);
  }

  return {
    element,
    show: () => {
      if (results !== undefined) return;
      const token = keptToken('data');
      if (token === undefined) gate(false);
      else void enter(token);
    },
    travel: () => travelTo?.(),
    forget: () => {
      forgetToken('data');
      gate(false);
    },
  };
}

function nothingGranted(): HTMLElement {
  const advice = 'The token is good, but your organisation has not been given any metric yet.';
  return notice('denied', 'Nothing to see yet', h('p', {}, advice));
}
