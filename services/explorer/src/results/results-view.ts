import { ApiError, type FieldErrors } from '../api/call-api.ts';
import type { DataApi } from '../api/data-api.ts';
import type { Metric } from '../../../../openapi/client/index.ts';
import { announce } from '../dom/announce.ts';
import { fill, h } from '../dom/h.ts';
import { count } from '../dom/number-text.ts';
import { notice } from '../dom/notice.ts';
import type { Question } from '../state/view-state.ts';
import type { ViewStore } from '../state/view-store.ts';
import { toAnswer } from './answer.ts';
import { answerView, type AnswerView } from './answer-view.ts';

interface ResultsParts {
  readonly api: DataApi;
  readonly metrics: readonly Metric[];
  readonly store: ViewStore;
  readonly onErrors: (errors: FieldErrors) => void;
  readonly onDenied: () => void;
}

export interface ResultsView {
  readonly element: HTMLElement;
  readonly ask: (question: Question) => Promise<void>;
  /** Draws the same answer again, as the view now tells. */
  readonly look: () => void;
  readonly close: () => void;
}

/** The right side of the page: waiting, the answer, or why there is none. */
export function resultsView({
  api,
  metrics,
  store,
  onErrors,
  onDenied,
}: ResultsParts): ResultsView {
  const element = h('section', { class: 'results', 'aria-label': 'Answer' });
  let running: AbortController | undefined;
  let shown: AnswerView | undefined;

  async function ask(question: Question): Promise<void> {
    running?.abort();
    const mine = new AbortController();
    running = mine;
    show(waiting(mine));
    announce('Asking');
    onErrors({});
    const startedMs = performance.now();
    try {
      const answered = await api.metricData(question, mine.signal);
      if (running !== mine) return;
      const answer = toAnswer(question, metrics, answered, performance.now() - startedMs);
      if (answer.series.length === 0) {
        show(nothingFound());
        announce('No results');
        return;
      }
      shown = answerView({ api, store, answer });
      fill(element, shown.element);
      shown.look();
      announce(`${count(answer.series.length)} series are shown`);
    } catch (error) {
      if (running === mine) showFailure(error, mine.signal.aborted, question);
    } finally {
      if (running === mine) running = undefined;
    }
  }

  function show(content: HTMLElement): void {
    shown?.close();
    shown = undefined;
    fill(element, content);
  }

  function waiting(controller: AbortController): HTMLElement {
    const cancel = () => controller.abort();
    return notice(
      'loading',
      'Asking…',
      h('p', {}, 'Large ranges and many splits take a while.'),
      h('button', { type: 'button', onclick: cancel }, 'Cancel'),
    );
  }

  function showFailure(error: unknown, isCancelled: boolean, question: Question): void {
    const again = () => void ask(question);
    const retry = h('button', { type: 'button', onclick: again }, 'Try again');
    if (isCancelled) {
      show(notice('empty', 'Cancelled', h('p', {}, 'The query was stopped.'), retry));
      announce('Cancelled');
      return;
    }
    const failure = error instanceof ApiError ? error : undefined;
    if (failure?.status === 403) {
      onDenied();
      return;
    }
    if (failure?.status === 422) {
      const advice = h('p', {}, 'The form says what to change.');
      show(notice('error', failure.message, advice));
      onErrors(failure.errors);
      return;
    }
    const message = failure?.message ?? 'Something went wrong on this page.';
    show(notice('error', 'No answer', h('p', {}, message), retry));
  }

  return {
    element,
    ask,
    look: () => shown?.look(),
    close: () => {
      running?.abort();
      running = undefined;
      shown?.close();
    },
  };
}

function nothingFound(): HTMLElement {
  const advice = 'Nothing was measured in this range with these filters. Try a longer range.';
  return notice('empty', 'No results', h('p', {}, advice));
}
