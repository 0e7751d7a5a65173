import { expect } from 'chai';

interface Expected {
  readonly status: number;
  readonly check?: (body: { data?: unknown }) => void;
}

const notFound: Expected = { status: 404 };
const noRows: Expected = {
  status: 200,
  check: ({ data }) => expect(data).to.deep.equal([]),
};
const emptySeries: Expected = {
  status: 200,
  check: ({ data }) => expect(data).to.deep.equal([{ metricData: [] }]),
};
const emptyFile: Expected = {
  status: 200,
  check: ({ data }) => expect(data).to.include({ rows: 0 }),
};
const listing: Expected = { status: 200 };

/** The agent is another organisation's. */
const unknownAgent: Expected = { status: 422 };

/**
 * By operation: the response to the owner's request with another organisation's token. Add every new
 * operation here.
 */
export const otherTenantResponses: Readonly<Record<string, Expected>> = {
  postMetricData: emptySeries,
  postTestData: noRows,
  explainMetricData: listing,
  explainTestData: listing,
  exportMetricDataCsv: emptyFile,
  exportTestDataCsv: emptyFile,
  downloadMetricData: emptyFile,
  downloadTestData: emptyFile,
  getExport: notFound,
  deleteExport: notFound,
  getMetrics: listing,
  getTests: listing,
  getSplits: listing,
  getFilters: listing,
  getFilterValues: notFound,
  getViews: noRows,
  // Saves a view of its own.
  postView: listing,
  getView: notFound,
  patchView: notFound,
  deleteView: notFound,
  // The map of the installation.
  getRegionMap: listing,
  // A map of its own.
  putRegionMap: listing,
  deleteRegionMap: listing,
  putMetadata: notFound,
  getMetadata: notFound,
  getMetadataHistory: notFound,
  getMetadataChanges: notFound,
  getAgents: noRows,
  getAgent: notFound,
  deleteAgent: notFound,
  getErasure: notFound,
  postResults: unknownAgent,
  postLmapReport: unknownAgent,
};
