import { ApiError, unexpectedError } from '../api/api-error.ts';
import { dataApi, type DataApi } from '../api/data-api.ts';
import type { Field, Metric, Split } from '../../../../openapi/client/index.ts';
import { fill, h } from '../dom/h.ts';
import { notice } from '../dom/notice.ts';
import { queryForm, type QueryForm } from '../form/query-form.ts';
import { resultsView, type ResultsView } from '../results/results-view.ts';
import { forgetToken, storedToken } from '../state/tokens.ts';
import { defaultDisplay, type Query } from '../state/view-state.ts';
import type { ViewStore } from '../state/view-store.ts';
import { openLinkedView } from '../saved-views/linked-view.ts';
import { viewsApi, type ViewsApi } from '../saved-views/views-api.ts';
import { viewsMenu } from '../saved-views/views-menu.ts';
import type { PageTab } from './page-tab.ts';
import { tokenGate } from './token-gate.ts';

/** A change of a control is a query after this time without another change. */
const settleMs = 350;

interface DataTabParts {
  readonly store: ViewStore;
  /** Empty: no map. */
  readonly mapField: string;
  /** Called when a token was stored or removed. */
  readonly onToken: () => void;
}

/** Token, form and results. */
export function dataTab({ store, mapField, onToken }: DataTabParts): PageTab {
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
    const views = viewsApi(token);
    fill(body, notice('loading', 'Loading metrics and fields…'));
    try {
      const [metrics, fields, numericFields, linkMessage] = await Promise.all([
        api.metrics(),
        api.fields(),
        api.numericFields(),
        openLinkedView(store, views),
      ]);
      onToken();
      if (metrics.length > 0) explore(api, views, metrics, fields, numericFields);
      else fill(body, nothingGranted());
      fill(linkError, linkMessage);
    } catch (error) {
      if (error instanceof ApiError && error.isDenied) {
        gate(true);
        return;
      }
      const message = error instanceof ApiError ? error.message : unexpectedError;
      const retry = h('button', { type: 'button', onclick: () => void enter(token) }, 'Try again');
      fill(body, notice('error', 'Loading failed', h('p', {}, message), retry));
    }
  }

  function explore(
    api: DataApi,
    views: ViewsApi,
    metrics: readonly Metric[],
    fields: readonly Field[],
    numericFields: readonly Split[],
  ): void {
    const menu = viewsMenu({ api: views, store, onDenied: () => gate(true) });
    const aside = h('aside', { class: 'query', 'aria-label': 'Query' });
    const hasMap = fields.some(({ id }) => id === mapField);
    let form: QueryForm;
    let waiting: ReturnType<typeof setTimeout> | undefined;
    const found = resultsView({
      api,
      metrics,
      fields,
      hasMap,
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
        class: 'query-toggle',
        'aria-expanded': 'true',
        onclick: () => setOpen(!isOpen()),
      },
      'Query',
    );
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
      const switches = isSameSplit
        ? {}
        : { switchedOn: [], switchedOff: [], sort: defaultDisplay.sort };
      store.set({ query, display: { ...display, zoom: undefined, ...switches } }, 'push');
      void found.run(query);
    }

    function paintForm(): void {
      const { query } = store.view();
      form = queryForm({
        metrics,
        fields,
        numericFields,
        valuesOf: (field, search) => api.fieldValues(field, search),
        hasMap,
        query,
        onChange: changed,
      });
      fill(aside, toggle, form.element, menu);
    }

    navigate = async () => {
      clearTimeout(waiting);
      fill(linkError, await openLinkedView(store, views));
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
      query.view === 'map' && hasMap ? { ...query, splits: [mapField] } : query;
    complete();
    paintForm();
    setOpen(false);
    fill(body, aside, found.element);
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
