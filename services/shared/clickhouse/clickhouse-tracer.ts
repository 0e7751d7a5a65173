import {
  type ClickHouseSpan,
  ClickHouseSpanNames,
  type ClickHouseTracer,
} from '@clickhouse/client';
import type {
  ClickHouseFigures,
  ClickHousePool,
  Question,
  QuestionKind,
} from './clickhouse-figures.ts';

/** What the client itself calls around each of its questions, for those that are all of one kind. */
export function clickHouseTracer(
  figures: ClickHouseFigures,
  kind: QuestionKind,
  pool: ClickHousePool,
): ClickHouseTracer {
  // To the client a query ends with the headers of its answer, and reading it begins at once as
  // something else. To us it is one question until it has been read.
  let answered: Question | undefined;
  return {
    startActiveSpan: (name, _options, work) => {
      if (name === ClickHouseSpanNames.query_stream && answered !== undefined) {
        const question = answered;
        answered = undefined;
        return work(spanOf(question, () => question.end()));
      }
      const question = figures.begin(kind, pool);
      const span = spanOf(question, (hasFailed) => {
        if (name === ClickHouseSpanNames.query && !hasFailed) answered = question;
        else question.end();
      });
      return work(span);
    },
  };
}

function spanOf(question: Question, end: (hasFailed: boolean) => void): ClickHouseSpan {
  let hasFailed = false;
  return {
    setAttributes: (attributes) => {
      const rows = attributes['clickhouse.summary.read_rows'];
      const bytes = attributes['clickhouse.summary.read_bytes'];
      if (rows !== undefined) question.read(Number(rows), Number(bytes ?? 0));
    },
    setStatus: () => undefined,
    recordException: (error) => {
      hasFailed = true;
      question.failed(error);
    },
    end: () => end(hasFailed),
  };
}
