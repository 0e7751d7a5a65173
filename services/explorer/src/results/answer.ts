import type { Metric, MetricSeries } from '../../../../openapi/client/index.ts';
import { toSeries, type Series } from '../series/series.ts';
import type { ApiAnswer } from '../api/call-api.ts';
import type { Question } from '../state/view-state.ts';

/** An answer, with the question it is the answer to. */
export interface Answer {
  readonly question: Question;
  readonly metric: Pick<Metric, 'key' | 'unit' | 'description'>;
  readonly series: readonly Series[];
  /** Undefined when the service did not tell. */
  readonly rowsRead: number | undefined;
  readonly tookMs: number;
  readonly queryId: string;
}

export function toAnswer(
  question: Question,
  metrics: readonly Metric[],
  answer: ApiAnswer<readonly MetricSeries[]>,
  tookMs: number,
): Answer {
  const metric = metrics.find(
    ({ key, aliases }) => key === question.metric || aliases.includes(question.metric),
  );
  const rowsRead = answer.headers.get('x-rows-read');
  return {
    question,
    metric: metric ?? { key: question.metric, unit: '', description: question.metric },
    series: toSeries(answer.data, question.splits),
    rowsRead: rowsRead === null ? undefined : Number(rowsRead),
    tookMs,
    queryId: answer.headers.get('x-query-id') ?? '',
  };
}
