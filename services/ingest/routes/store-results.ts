import type { Readable } from 'node:stream';
import { recordReplacement } from '../../results/store/record-replacement.ts';
import type { Caller } from '../../shared/auth/caller.ts';
import { inOrganisation } from '../../shared/postgres/in-organisation.ts';
import { traced } from '../../shared/tracing/traced.ts';
import type { ResultsRequest } from '../request/parse-results-request.ts';
import type { ReceiptData } from '../rows/receipt.ts';
import { receiveResults } from '../rows/receive-results.ts';
import type { ResultsTarget } from '../rows/results-target.ts';
import type { RowSink } from '../store/row-sink.ts';
import type { IngestTools } from './ingest-tools.ts';

type StoredResults = Pick<ResultsRequest, 'test' | 'format' | 'isAtomic' | 'isReplacing'>;

/** Checks and stores the results of a body. Returns when ClickHouse has them. */
export async function storeResults(
  tools: IngestTools,
  caller: Caller,
  content: Readable,
  { test, format, isAtomic, isReplacing }: StoredResults,
): Promise<ReceiptData> {
  const { config, metrics } = tools;
  const target = await resultsTarget(tools, caller, test);
  const sink: RowSink = {
    insert: (rows) => traced('insert', { 'netpanel.test': test }, () => tools.sink.insert(rows)),
  };
  const data = await traced('receive', { 'netpanel.test': test }, () =>
    receiveResults(content, target, {
      format,
      isAtomic,
      isReplacing,
      maxListedRejects: config.maxListedRejects,
      sink,
      onRejected: (rows) => metrics.countRejected(test, rows),
    }),
  );
  if (isReplacing && data.stored > 0) {
    const { organisationId, tokenId } = caller;
    const replacement = { organisationId, actor: `token ${tokenId}`, test, rows: data.stored };
    await inOrganisation(tools.requests, organisationId, (transaction) =>
      recordReplacement(transaction, replacement),
    );
  }
  return data;
}

async function resultsTarget(
  { config, columns, requests, agents }: IngestTools,
  { organisationId }: Caller,
  test: string,
): Promise<ResultsTarget> {
  return {
    organisationId,
    test,
    columns: await columns.of(test),
    inDatabase: (work) => inOrganisation(requests, organisationId, work),
    findAgents: (ids) => agents.find(organisationId, ids),
    unknownAgents: config.unknownAgents,
    beforeRegistrationS: config.beforeRegistrationDays * 86_400,
    nowS: Math.floor(Date.now() / 1000),
    maxAheadS: config.maxAheadS,
  };
}
