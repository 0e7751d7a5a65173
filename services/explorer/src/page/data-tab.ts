import { failureOf } from '../api/api-error.ts';
import { dataApi } from '../api/data-api.ts';
import { button, fill, h, notice } from '../dom/h.ts';
import { queryForm, type QueryForm } from '../form/query-form.ts';
import { resultsView, type ResultsView } from '../results/results-view.ts';
import { forgetToken, type PageTab, storedToken, tokenGate } from './token-gate.ts';
import { defaultDisplay, type Query } from '../state/view-state.ts';
import type { DataContext } from '../state/data-context.ts';
import type { ViewStore } from '../state/view-store.ts';
import { openLinkedView } from '../saved-views/linked-view.ts';
import { viewsMenu } from '../saved-views/views-menu.ts';
import { questionList } from './question-list.ts';

/** A change of a control is a query after this time without another change. */
const settleMs = 350;

interface DataTabParts {
  readonly store: ViewStore;
  /** Called when a token was stored or removed. */
  readonly onToken: () => void;
}

/** Token, form and results. */
export function dataTab({ store, onToken }: DataTabParts): PageTab {
  const body = h('div', { class: 'data-tab' });
  // Outside the grid of the body: a line in it would move the form and the results.
  const linkError = h('p', { class: 'link-error field-error', role: 'alert' });
  const element = h('div', {}, linkError, body);
  let results: ResultsView | undefined;
  let navigate: (() => Promise<void>) | undefined;

  function gate(isDenied: boolean): void {
    results?.close();
    results = undefined;
    navigate = undefined;
    if (isDenied) forgetToken('data');
    onToken();
    fill(linkError);
    fill(body, tokenGate({ kind: 'data', isDenied, onToken: (token) => void enter(token) }));
  }

  async function enter(token: string): Promise<void> {
    const api = dataApi(token);
    fill(body, notice('loading', 'Loading metrics and fields…'));
    try {
      const [metrics, fields, numericFields, linkMessage] = await Promise.all([
        api.metrics(),
        api.fields(),
        api.numericFields(),
        openLinkedView(store, api),
      ]);
      onToken();
      const mapField = fields.find(({ map }) => map)?.id;
      if (metrics.length > 0) explore({ api, store, metrics, fields, numericFields, mapField });
      else fill(body, nothingGranted());
      fill(linkError, linkMessage);
    } catch (error) {
      const { isDenied, message } = failureOf(error);
      if (isDenied) {
        gate(true);
        return;
      }
      const retry = button('Try again', () => void enter(token));
      fill(body, notice('error', 'Loading failed', h('p', {}, message), retry));
    }
  }

  function explore(context: DataContext): void {
    const { api, metrics, mapField } = context;
    const menu = viewsMenu({ api, store, onDenied: () => gate(true) });
    const aside = h('aside', { class: 'query', 'aria-label': 'Query' });
    let form: QueryForm;
    let waiting: ReturnType<typeof setTimeout> | undefined;
    const found = resultsView(context, {
      onErrors: (errors) => {
        if (Object.keys(errors).length > 0) setOpen(true);
        form.showErrors(errors);
      },
      onDenied: () => gate(true),
    });
    results = found;
    const toggle = button('Query', () => setOpen(!isOpen()), {
      class: 'query-toggle',
      'aria-expanded': 'true',
    });
    const isOpen = () => toggle.getAttribute('aria-expanded') === 'true';
    const setOpen = (shouldOpen: boolean) =>
      toggle.setAttribute('aria-expanded', String(shouldOpen));

    /** Waits for the next change: several controls are often changed at once. */
    function changed(query: Query, how: 'change' | 'enter'): void {
      clearTimeout(waiting);
      if (how === 'change') waiting = setTimeout(() => submit(query), settleMs);
      else {
        setOpen(false);
        submit(query);
      }
    }

    function submit(given: Query): void {
      const query = withMapSplit(given);
      const { display, query: before } = store.view();
      const isSameSplit = JSON.stringify(before.splits) === JSON.stringify(query.splits);
      const { switchedOn, switchedOff, sort, hasOthers } = defaultDisplay;
      const switches = isSameSplit ? {} : { switchedOn, switchedOff, sort, hasOthers };
      const isSameChart = before.metric === query.metric && before.view === query.view;
      // A title of another chart would be wrong.
      const figure = isSameChart ? {} : { figure: { ...display.figure, texts: {} } };
      const kept = { ...display, zoom: undefined, ...switches, ...figure };
      store.set({ query, display: kept }, 'push');
      void found.run(query);
    }

    function paintForm(): void {
      form = queryForm(context, store.view().query, changed);
      fill(aside, toggle, form.element, menu);
    }

    navigate = async () => {
      clearTimeout(waiting);
      fill(linkError, await openLinkedView(store, api));
      complete();
      paintForm();
      await found.run(store.view().query);
    };
    /** A link may leave out the metric, and the split of a map. */
    const complete = () => {
      const { query } = store.view();
      const first = metrics.find(({ key }) => key === 'httpget') ?? metrics[0];
      const metric = query.metric === '' ? (first?.key ?? '') : query.metric;
      store.set({ query: withMapSplit({ ...query, metric }) });
    };
    /** A map has one value per region. */
    const withMapSplit = (query: Query): Query =>
      query.view === 'map' && mapField !== undefined ? { ...query, splits: [mapField] } : query;
    const questions = questionList(context, store.view().query.metric === '');
    complete();
    paintForm();
    setOpen(false);
    fill(body, aside, h('div', { class: 'answers' }, questions, found.element));
    void found.run(store.view().query);
  }

  return {
    element,
    show: () => {
      if (results !== undefined) return;
      const token = storedToken('data');
      if (token === undefined) gate(false);
      else void enter(token);
    },
    navigate: () => void navigate?.().catch(() => gate(true)),
    forget: () => {
      forgetToken('data');
      gate(false);
    },
  };
}

function nothingGranted(): HTMLElement {
  const advice = 'The token is valid, but your organisation has no access to any metric.';
  return notice('denied', 'No metrics', h('p', {}, advice));
}
