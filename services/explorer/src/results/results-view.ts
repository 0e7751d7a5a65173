import { ApiError, unexpectedError, type FieldErrors } from '../api/api-error.ts';
import { loadRegionMap } from '../api/region-map.ts';
import { requestsOf } from '../api/request-body.ts';
import type { DataApi } from '../api/data-api.ts';
import type { Field, Metric } from '../../../../openapi/client/index.ts';
import { announce } from '../dom/announce.ts';
import { fill, h } from '../dom/h.ts';
import { count } from '../dom/number-text.ts';
import { notice } from '../dom/notice.ts';
import type { Query } from '../state/view-state.ts';
import type { ViewStore } from '../state/view-store.ts';
import { knownSlots } from './known-slots.ts';
import { toQueryResponse } from './query-response.ts';
import { responseView, type ResponseView } from './response-view.ts';
import { warningList } from './warning-list.ts';

interface ResultsParts {
  readonly api: DataApi;
  readonly metrics: readonly Metric[];
  readonly fields: readonly Field[];
  /** Whether the installation has a map, and the organisation its field. */
  readonly hasMap: boolean;
  readonly store: ViewStore;
  readonly onErrors: (errors: FieldErrors) => void;
  readonly onDenied: () => void;
}

export interface ResultsView {
  readonly element: HTMLElement;
  /** Sends the query and shows its response. Aborts the query that runs. */
  readonly run: (query: Query) => Promise<void>;
  readonly close: () => void;
}

/** The right side of the page: loading, the response, or the error. */
export function resultsView({
  api,
  metrics,
  fields,
  hasMap,
  store,
  onErrors,
  onDenied,
}: ResultsParts): ResultsView {
  const element = h('section', { class: 'results', 'aria-label': 'Results' });
  let running: AbortController | undefined;
  let shown: ResponseView | undefined;
  const slots = knownSlots(api, fields);

  async function run(query: Query): Promise<void> {
    running?.abort();
    const mine = new AbortController();
    running = mine;
    showLoading(mine);
    announce('Loading');
    onErrors({});
    const startedMs = performance.now();
    try {
      if (query.view === 'map' && !hasMap) throw noMap();
      const [slotOf, map, ...responses] = await Promise.all([
        slots(query.splits),
        query.view === 'map' ? loadRegionMap() : undefined,
        ...requestsOf(query).map(({ body }) => api.metricData(body, mine.signal)),
      ]);
      if (running !== mine) return;
      if (query.view === 'change' && responses.length < 2) throw noPeriodBefore();
      const reload = () => void run(query);
      const tookMs = performance.now() - startedMs;
      const parts = { slotOf, map, tookMs };
      const response = toQueryResponse(query, { metrics, fields }, responses, parts);
      if (response.series.length === 0) {
        show(warningList(response.warnings, reload), nothingFound());
        announce('No results');
        return;
      }
      shown?.close();
      shown = responseView({ api, fields, store, response, onReload: reload });
      fill(element, shown.element);
      element.classList.remove('is-loading');
      shown.draw();
      announce(`${count(response.series.length)} series shown`);
    } catch (error) {
      if (running === mine) showFailure(error, mine.signal.aborted, query);
    } finally {
      if (running === mine) running = undefined;
    }
  }

  /** The last chart stays, dimmed, until the next one is there. */
  function showLoading(controller: AbortController): void {
    if (shown === undefined) {
      show(loading(controller));
      return;
    }
    element.classList.add('is-loading');
    element.querySelector('.loading-bar')?.remove();
    const cancel = () => controller.abort();
    element.prepend(
      h(
        'div',
        { class: 'loading-bar' },
        h('div', { class: 'spinner', 'aria-hidden': 'true' }),
        h('span', {}, 'Loading…'),
        h('button', { type: 'button', class: 'quiet', onclick: cancel }, 'Cancel'),
      ),
    );
  }

  function show(...content: readonly (HTMLElement | undefined)[]): void {
    shown?.close();
    shown = undefined;
    element.classList.remove('is-loading');
    fill(element, ...content);
  }

  function loading(controller: AbortController): HTMLElement {
    const cancel = () => controller.abort();
    return notice(
      'loading',
      'Loading…',
      h('p', {}, 'Large ranges and many splits take longer.'),
      h('button', { type: 'button', onclick: cancel }, 'Cancel'),
    );
  }

  function showFailure(error: unknown, isCancelled: boolean, query: Query): void {
    const rerun = () => void run(query);
    const retry = h('button', { type: 'button', onclick: rerun }, 'Try again');
    if (isCancelled) {
      show(notice('empty', 'Cancelled', h('p', {}, 'The query was cancelled.'), retry));
      announce('Cancelled');
      return;
    }
    const failure = error instanceof ApiError ? error : undefined;
    if (failure?.isDenied === true) {
      onDenied();
      return;
    }
    if (failure?.status === 422) {
      const advice = h('p', {}, 'See the messages in the form.');
      show(notice('error', failure.message, advice));
      onErrors(failure.errors);
      return;
    }
    const message = failure?.message ?? unexpectedError;
    show(notice('error', 'The query failed', h('p', {}, message), retry));
  }

  return {
    element,
    run,
    close: () => {
      running?.abort();
      running = undefined;
      shown?.close();
    },
  };
}

function noPeriodBefore(): ApiError {
  const message = 'Choose a preset, or two dates: then the period before is known.';
  return new ApiError(422, 'VALIDATION_FAIL', 'No period before', { time: [message] });
}

function noMap(): ApiError {
  const message = 'There is no map of your fields. Choose another view.';
  return new ApiError(422, 'VALIDATION_FAIL', 'No map', { view: [message] });
}

function nothingFound(): HTMLElement {
  const advice = 'No results match this range and these filters. Try a longer range.';
  return notice('empty', 'No results', h('p', {}, advice));
}
