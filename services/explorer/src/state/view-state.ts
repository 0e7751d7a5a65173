import type { Aggregation as ApiAggregation } from '../../../catalog/aggregations.ts';

/** The contract's aggregations, and `raw`, which it spells as a chart type. */
export type Aggregation = ApiAggregation | 'raw';

export interface QuestionFilter {
  readonly id: string;
  readonly mode: 'include' | 'exclude';
  readonly values: readonly string[];
}

/** What is asked of the data interface. */
export interface Question {
  readonly metric: string;
  readonly aggregation: Aggregation;
  readonly from: string;
  readonly to: string;
  readonly splits: readonly string[];
  readonly filters: readonly QuestionFilter[];
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

/** How the answer is looked at; nothing of it is asked of the service. */
export interface Look {
  readonly band: ConfidenceLevel | 'off';
  readonly percentiles: readonly string[];
  readonly zoom: Zoom | undefined;
  /** Keys of series switched by hand, against what shows by itself. */
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

/** Everything a link tells; tokens are no part of it. */
export interface ViewState {
  readonly tab: 'data' | 'agents';
  readonly question: Question;
  readonly look: Look;
  readonly agent: AgentLookup;
}

export const plainLook: Look = {
  band: '95',
  percentiles: [],
  zoom: undefined,
  switchedOff: [],
  switchedOn: [],
  panel: 'table',
  sort: undefined,
};

export const firstView: ViewState = {
  tab: 'data',
  question: {
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
  look: plainLook,
  agent: { field: 'unit', value: '' },
};
