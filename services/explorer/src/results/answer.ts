import type { Metric } from '../api/data-types.ts';
import { toSeries, type Series } from '../series/series.ts';
import type { ApiAnswer } from '../api/call-api.ts';
import type { SeriesOfPoints } from '../api/data-types.ts';
import type { Question } from '../state/view-state.ts';

/** An answer, with the question it is the answer to. */
export interface Answer {
  readonly question: Question;
  readonly metric: Metric;
  readonly series: readonly Series[];
  /** Undefined when the service did not tell. */
  readonly rowsRead: number | undefined;
  readonly tookMs: number;
  readonly queryId: string;
}

export function toAnswer(
  question: Question,
  metrics: readonly Metric[],
  answer: ApiAnswer<readonly SeriesOfPoints[]>,
  tookMs: number,
): Answer {
  const metric = metrics.find(
    ({ key, aliases }) => key === question.metric || aliases.includes(question.metric),
  );
  const rowsRead = answer.headers.get('x-rows-read');
  return {
    question,
    metric: metric ?? unlisted(question.metric),
    series: toSeries(answer.data, question.splits),
    rowsRead: rowsRead === null ? undefined : Number(rowsRead),
    tookMs,
    queryId: answer.headers.get('x-query-id') ?? '',
  };
}

function unlisted(key: string): Metric {
  return { key, unit: '', description: key, aliases: [], chartTypes: ['aggregate'] };
}
