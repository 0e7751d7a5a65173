import { ApiError, failureOf, type FieldErrors } from '../api/api-error.ts';
import { requestBody } from '../api/request-body.ts';
import { announce } from '../dom/announce.ts';
import { button, fill, h, notice, quietButton } from '../dom/h.ts';
import { count } from '../dom/number-text.ts';
import type { Query } from '../state/view-state.ts';
import { type DataContext, metricOf } from '../state/data-context.ts';
import { type QueryResponse, toQueryResponse } from './query-response.ts';
import { canHaveOthers, otherSeries } from './other-series.ts';
import { rankedSeries } from './ranked-series.ts';
import { responseView, type ResponseView } from './response-view.ts';
import { warningList } from './warning-list.ts';
import { colourSlots, isSuppressed, type SlotOf } from '../series/series.ts';

interface ResultsEvents {
  readonly onErrors: (errors: FieldErrors) => void;
  readonly onDenied: () => void;
}

export type ResultsView = ReturnType<typeof resultsView>;

/** The right side of the page: loading, the response, or the error. */
export function resultsView(context: DataContext, { onErrors, onDenied }: ResultsEvents) {
  const { api, mapField } = context;
  const element = h('section', { class: 'results', 'aria-label': 'Results' });
  let running: AbortController | undefined;
  let shown: ResponseView | undefined;
  const slots = knownSlots(context);

  /** Sends the query and shows its response. Aborts the running query. */
  async function run(query: Query): Promise<void> {
    running?.abort();
    const mine = new AbortController();
    running = mine;
    showLoading(mine);
    announce('Loading');
    onErrors({});
    const startedMs = performance.now();
    try {
      if (query.view === 'map' && mapField === undefined) throw noMap();
      const request = requestBody(query, metricOf(context, query));
      if (query.view === 'change' && request.compare === undefined) throw noPeriodBefore();
      const [slotOf, map, answer] = await Promise.all([
        slots(query.splits),
        query.view === 'map' ? api.regionMap() : undefined,
        api.metricData(request, mine.signal),
      ]);
      if (running !== mine) return;
      const reload = () => void run(query);
      const tookMs = performance.now() - startedMs;
      const parts = { request, slotOf, map, tookMs };
      const response = toQueryResponse(query, context, answer, parts);
      if (response.series.length === 0) {
        show(warningList(response.warnings, reload), nothingFound());
        announce('No results');
        return;
      }
      if (isAllHidden(response)) {
        show(warningList(response.warnings, reload), allHidden(response));
        announce('Too few households');
        return;
      }
      const completed = await withOthers(response, mine.signal);
      if (running !== mine) return;
      shown?.close();
      shown = responseView(context, completed, reload);
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

  /** The series in the wanted order, and all others as one if that is wanted. */
  async function withOthers(found: QueryResponse, signal: AbortSignal): Promise<QueryResponse> {
    const { display } = context.store.view();
    const series = await rankedSeries(api, found, display, signal);
    const response = { ...found, series };
    if (!display.hasOthers || !canHaveOthers(response, display)) return response;
    const others = await otherSeries(api, response, display, signal);
    return others === undefined ? response : { ...response, series: [others, ...series] };
  }

  /** Dims the last chart until the next one is drawn. */
  function showLoading(controller: AbortController): void {
    if (shown === undefined) {
      show(loading(controller));
      return;
    }
    element.classList.add('is-loading');
    element.querySelector('.loading-bar')?.remove();
    element.prepend(
      h(
        'div',
        { class: 'loading-bar' },
        h('div', { class: 'spinner', 'aria-hidden': 'true' }),
        h('span', {}, 'Loading…'),
        quietButton('Cancel', () => controller.abort()),
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
    return notice(
      'loading',
      'Loading…',
      h('p', {}, 'Large ranges and many splits take longer.'),
      button('Cancel', () => controller.abort()),
    );
  }

  function showFailure(error: unknown, isCancelled: boolean, query: Query): void {
    const retry = button('Try again', () => void run(query));
    if (isCancelled) {
      show(notice('empty', 'Cancelled', h('p', {}, 'The query was cancelled.'), retry));
      announce('Cancelled');
      return;
    }
    const { isDenied, status, message, errors } = failureOf(error);
    if (isDenied) onDenied();
    else if (status === 422) {
      const advice = h('p', {}, 'See the messages in the form.');
      show(notice('error', message, advice));
      onErrors(errors);
    } else show(notice('error', 'The query failed', h('p', {}, message), retry));
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
  const message = 'Choose a preset or two dates, to compare with the period before.';
  return new ApiError(422, 'VALIDATION_FAIL', 'No period before', { time: [message] });
}

function noMap(): ApiError {
  const message = 'No map is available for your data. Choose another view.';
  return new ApiError(422, 'VALIDATION_FAIL', 'No map', { view: [message] });
}

function nothingFound(): HTMLElement {
  const advice = 'No results match this range and these filters. Try a longer range.';
  return notice('empty', 'No results', h('p', {}, advice));
}

/** Comparisons and maps say of each series or region that it is hidden. */
function isAllHidden({ query, series }: QueryResponse): boolean {
  const isNamed = ['peak', 'change', 'map'].includes(query.view);
  return !isNamed && series.every(({ points }) => points.length > 0 && points.every(isSuppressed));
}

function allHidden({ report, series }: QueryResponse): HTMLElement {
  const minimum = report.of('min_agents');
  const own = minimum === undefined ? '' : ` The section Report hides fewer than ${minimum}.`;
  const points = series.reduce((sum, one) => sum + one.points.length, 0);
  return notice(
    'empty',
    'Too few households',
    h(
      'p',
      {},
      `There are results, but ${points === 1 ? 'the only point is' : `all ${count(points)} points are`} hidden, so that nobody can learn the results of one household.${own}`,
    ),
    h(
      'p',
      {},
      'More households share a point with fewer splits and filters, a longer range, or days and weeks instead of hours.',
    ),
  );
}

/** Finds the values of the splits, whose order gives series their colours. One request per field. */
function knownSlots({ api, fields }: DataContext): (splits: readonly string[]) => Promise<SlotOf> {
  const asked = new Map<string, Promise<readonly string[]>>();

  function valuesOf(id: string): Promise<readonly string[]> {
    const field = fields.find((one) => one.id === id);
    const values =
      asked.get(id) ??
      // Without the list, colours follow the text of the values.
      (field === undefined ? Promise.resolve([]) : api.fieldValues(field, '').catch(() => []));
    asked.set(id, values);
    return values;
  }

  return async (splits) => colourSlots(await Promise.all(splits.map(valuesOf)));
}
