import { expect } from 'chai';

interface Expected {
  readonly status: number;
  readonly check?: (body: { data?: unknown }) => void;
}

const nothingThere: Expected = { status: 404 };
const noRows: Expected = {
  status: 200,
  check: ({ data }) => expect(data).to.deep.equal([]),
};
const emptyFile: Expected = {
  status: 200,
  check: ({ data }) => expect(data).to.include({ rows: 0 }),
};
const listing: Expected = { status: 200 };

/**
 * By operation: what another organisation's token is answered to the owner's request. A new operation
 * must be told of here.
 */
export const strangersAnswer: Readonly<Record<string, Expected>> = {
  postMetricData: noRows,
  postTestData: noRows,
  explainMetricData: listing,
  explainTestData: listing,
  exportMetricDataCsv: emptyFile,
  exportTestDataCsv: emptyFile,
  downloadMetricData: emptyFile,
  downloadTestData: emptyFile,
  getExport: nothingThere,
  deleteExport: nothingThere,
  getMetrics: listing,
  getTests: listing,
  getSplits: listing,
  getFilters: listing,
  getFilterValues: nothingThere,
  putMetadata: nothingThere,
  getMetadata: nothingThere,
  getMetadataHistory: nothingThere,
  getInternalServerError: { status: 500 },
};
