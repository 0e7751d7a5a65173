import type { Readable } from 'node:stream';
import type { TestKey } from '../../catalog/test-tables.ts';
import { recordReplacement } from '../../results/insert/record-replacement.ts';
import type { Caller } from '../../shared/auth/caller.ts';
import { inOrganisation } from '../../shared/postgres/in-organisation.ts';
import { traced } from '../../shared/tracing/traced.ts';
import type { ResultsRequest } from '../request/parse-results-request.ts';
import type { ReceiptData } from '../rows/receipt.ts';
import { receiveResults } from '../rows/receive-results.ts';
import type { ResultsTarget } from '../rows/check-rows.ts';
import type { IngestTools } from './ingest-tools.ts';

interface StoredResults extends Pick<
  ResultsRequest,
  'test' | 'format' | 'isAtomic' | 'isReplacing'
> {
  readonly nextTurn: () => Promise<void>;
}

/** Checks and stores the results of a body. Returns when ClickHouse has them. */
export async function storeResults(
  tools: IngestTools,
  caller: Caller,
  content: Readable,
  { test, format, isAtomic, isReplacing, nextTurn }: StoredResults,
): Promise<ReceiptData> {
  const { config, metrics } = tools;
  const target = resultsTarget(tools, caller, test);
  const data = await traced('receive', { 'netpanel.test': test }, () =>
    receiveResults(content, target, {
      format,
      isAtomic,
      isReplacing,
      maxLines: config.maxLines,
      maxRejected: config.maxRejected,
      maxListedRejects: config.maxListedRejects,
      insert: (rows) =>
        traced('insert', { 'netpanel.test': test }, () => tools.batcher.insert(rows)),
      onRejected: (rows) => metrics.countRejected(test, rows),
      nextTurn,
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

function resultsTarget(
  { config, requests, agents }: IngestTools,
  { organisationId }: Caller,
  test: TestKey,
): ResultsTarget {
  return {
    organisationId,
    test,
    ignore: [],
    constants: {},
    inDatabase: (work) => inOrganisation(requests, organisationId, work),
    findAgents: (ids) => agents.find(organisationId, ids),
    unknownAgents: config.unknownAgents,
    beforeRegistrationS: config.beforeRegistrationDays * 86_400,
    nowS: Math.floor(Date.now() / 1000),
    maxAheadS: config.maxAheadS,
  };
}
