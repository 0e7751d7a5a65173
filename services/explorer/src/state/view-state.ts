import type { Aggregation as ApiAggregation } from '../../../catalog/aggregations.ts';

/** The aggregations of the contract, and `raw`, which is a chart type in a request. */
export type Aggregation = ApiAggregation | 'raw';

export interface QueryFilter {
  readonly id: string;
  readonly mode: 'include' | 'exclude';
  readonly values: readonly string[];
}

/** A query of the data interface. */
export interface Query {
  readonly metric: string;
  readonly aggregation: Aggregation;
  readonly from: string;
  readonly to: string;
  readonly splits: readonly string[];
  readonly filters: readonly QueryFilter[];
  readonly prefilter: boolean;
  readonly normalised: boolean;
  readonly agentAgg: boolean;
}

export type ConfidenceLevel = '90' | '95' | '99';
export type PanelName = 'table' | 'request' | 'sql';

export interface Zoom {
  readonly min: number;
  readonly max: number;
}

/** How the response is displayed. Not part of the request. */
export interface DisplayOptions {
  readonly band: ConfidenceLevel | 'off';
  readonly percentiles: readonly string[];
  readonly zoom: Zoom | undefined;
  /** Keys of series that the user hid or showed against the default. */
  readonly switchedOff: readonly string[];
  readonly switchedOn: readonly string[];
  readonly panel: PanelName;
  readonly sort: { readonly column: string; readonly isDescending: boolean } | undefined;
}

export const lookupFields = ['agent', 'unit', 'mac'] as const;
export type LookupField = (typeof lookupFields)[number];

export interface AgentLookup {
  readonly field: LookupField;
  readonly value: string;
}

/** Everything that a link contains. Tokens are not part of it. */
export interface ViewState {
  readonly tab: 'data' | 'agents';
  readonly query: Query;
  readonly display: DisplayOptions;
  readonly agent: AgentLookup;
}

export const defaultDisplay: DisplayOptions = {
  band: '95',
  percentiles: [],
  zoom: undefined,
  switchedOff: [],
  switchedOn: [],
  panel: 'table',
  sort: undefined,
};

export const defaultView: ViewState = {
  tab: 'data',
  query: {
    metric: '',
    aggregation: 'daily',
    from: '-28 days',
    to: 'now',
    splits: [],
    filters: [],
    prefilter: true,
    normalised: false,
    agentAgg: false,
  },
  display: defaultDisplay,
  agent: { field: 'unit', value: '' },
};
