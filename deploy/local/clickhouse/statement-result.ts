import type { Engine, EngineResult } from './engines/engine.ts';
import { blockInfoRevision, withBlockInfo } from './native-blocks.ts';
import { headerStripper, streamingOf } from './output-format.ts';
import { connectionSetup } from './query-request.ts';
import type { QueryRequest } from './query-request.ts';
import type { RunningQuery } from './running-query.ts';
import type { InsertWithData, OrdinaryStatement } from './statement.ts';

/** Runs a statement. Fetches at most one chunk ahead. */
export async function* statementResult(
  engine: Engine,
  running: RunningQuery,
  request: QueryRequest,
  statement: OrdinaryStatement,
): AsyncGenerator<EngineResult> {
  const format = statement.format ?? request.defaultFormat;
  const streaming = streamingOf(format);
  const ready = { setup: connectionSetup(request), sql: statement.sql, format };
  const isNewerNative =
    format.toLowerCase() === 'native' && request.protocolRevision >= blockInfoRevision;
  const convert = isNewerNative ? withBlockInfo : unchanged;
  if (!statement.streams || streaming === 'document') {
    const result = await engine.query(running, ready);
    yield { ...result, data: convert(result.data) };
    return;
  }
  const withoutHeader = headerStripper(streaming);
  for await (const chunk of engine.stream(running, ready)) {
    yield { ...chunk, data: convert(withoutHeader(chunk.data)) };
  }
}

/** Runs an INSERT with its data. */
export async function* insertResult(
  engine: Engine,
  running: RunningQuery,
  request: QueryRequest,
  { head, tail }: InsertWithData,
  data: Uint8Array,
): AsyncGenerator<EngineResult> {
  yield await engine.insert(running, { setup: connectionSetup(request), head, tail, data });
}

const unchanged = (data: Uint8Array<ArrayBuffer>) => data;
