import type { Aggregation as ApiAggregation } from '../../../catalog/aggregations.ts';
import type { FigureSize, OwnTexts } from './figure-options.ts';
import type { ReportOptions } from './report-texts.ts';

/** The aggregations of the contract, and `raw`, which is a chart type in a request. */
export type Aggregation = ApiAggregation | 'raw';

/** In the order of the list. `trend` uses the chosen aggregation, the others their own. */
export const viewNames = {
  trend: 'Over time or by hour',
  ranking: 'Ranking with intervals',
  distribution: 'Distribution',
  heatmap: 'Heat map: hour and weekday',
  peak: 'Peak and off-peak hours',
  threshold: 'Households that meet a threshold',
  change: 'Comparison',
  map: 'Map of regions',
} as const;
export type ViewKind = keyof typeof viewNames;
export const viewKinds = Object.keys(viewNames) as readonly ViewKind[];

export interface QueryFilter {
  readonly id: string;
  readonly mode: 'include' | 'exclude';
  readonly values: readonly string[];
}

/** What the view `change` compares with. */
export const comparedWith = {
  before: 'The period before',
  period: 'Another period',
  group: 'Other households (filters)',
  window: 'Other hours of the week',
  rest: 'All other series together',
  known: 'Metadata as known at another time',
} as const;
export type ComparedWith = keyof typeof comparedWith;

/** The other side of the view `change`. */
export interface Comparison {
  readonly with: ComparedWith;
  /** Of `period`. */
  readonly from: string;
  readonly to: string;
  /** Of `group`. */
  readonly filters: readonly QueryFilter[];
  /** Of `window`, as in a link. */
  readonly window: string;
  /** Of `known`, in UTC. */
  readonly knownAt: string;
  /** One difference in total, or one per period. */
  readonly over: ApiAggregation;
  /** Only households that have a value on both sides. */
  readonly isOfBoth: boolean;
}

/** A query of the data interface. */
export interface Query {
  readonly view: ViewKind;
  readonly metric: string;
  /** Of the view `trend`. */
  readonly aggregation: Aggregation;
  /** The number of whole days up to yesterday, instead of `from` and `to`. */
  readonly lastDays: number | undefined;
  readonly from: string;
  readonly to: string;
  readonly splits: readonly string[];
  readonly filters: readonly QueryFilter[];
  readonly prefilter: boolean;
  readonly normalised: boolean;
  readonly agentAgg: boolean;
  /** The sample of the confidence intervals. */
  readonly intervals: 'households' | 'results';
  /** A field with numbers, such as the advertised speed: values are in percent of it. Empty: that of the method, or none. */
  readonly relativeTo: string;
  /** Of the view `threshold`, in the unit of the metric. */
  readonly threshold: number;
  /** The thresholds of stacked shares, such as `10,30,100`; empty for the share above one threshold. */
  readonly between: string;
  /** The aggregation of the view `threshold`. */
  readonly over: ApiAggregation;
  readonly compare: Comparison;
  readonly report: ReportOptions;
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
  readonly scale: 'linear' | 'log';
  /** Values in relation to the first of their series. */
  readonly relative: 'off' | 'index' | 'percent';
  /** The split whose values have panels; empty for one chart. */
  readonly panelsBy: string;
  /** Whether heat maps share their colours, so that they can be compared. */
  readonly colours: 'shared' | 'own';
  readonly panel: PanelName;
  readonly sort: { readonly column: string; readonly isDescending: boolean } | undefined;
  readonly figure: FigureOptions;
  /** Which of many series are shown first; undefined: those with the most results. */
  readonly rank: SeriesRank | undefined;
  /** All series that are not shown, as one. */
  readonly hasOthers: boolean;
}

/** The series with the highest or the lowest values. */
export interface SeriesRank {
  readonly end: 'top' | 'bottom';
  readonly count: number;
}

interface FigureOptions {
  /** Undefined: the page shows no figure. */
  readonly size: FigureSize | undefined;
  readonly texts: OwnTexts;
}

export const lookupFields = ['agent', 'unit', 'mac'] as const;
type LookupField = (typeof lookupFields)[number];

export interface AgentLookup {
  readonly field: LookupField;
  readonly value: string;
}

/** Everything that a link contains. Tokens are not part of it. */
export interface ViewState {
  readonly tab: 'data' | 'agents';
  /** Id of a saved view that is to be opened; the rest of the link changes parts of it. Empty: none. */
  readonly saved: string;
  readonly query: Query;
  readonly display: DisplayOptions;
  readonly agent: AgentLookup;
  /** What the list of agents is searched for. */
  readonly find: string;
}

export const defaultDisplay: DisplayOptions = {
  band: '95',
  percentiles: [],
  zoom: undefined,
  switchedOff: [],
  switchedOn: [],
  scale: 'linear',
  relative: 'off',
  panelsBy: '',
  colours: 'shared',
  panel: 'table',
  sort: undefined,
  figure: { size: undefined, texts: {} },
  rank: undefined,
  hasOthers: false,
};

export const defaultView: ViewState = {
  tab: 'data',
  saved: '',
  query: {
    view: 'trend',
    metric: '',
    aggregation: 'daily',
    lastDays: 28,
    from: '',
    to: '',
    splits: [],
    filters: [],
    prefilter: true,
    normalised: false,
    agentAgg: false,
    intervals: 'households',
    relativeTo: '',
    threshold: 30,
    between: '',
    over: 'total',
    compare: {
      with: 'before',
      from: '',
      to: '',
      filters: [],
      window: '',
      knownAt: '',
      over: 'total',
      isOfBoth: false,
    },
    report: {},
  },
  display: defaultDisplay,
  agent: { field: 'unit', value: '' },
  find: '',
};
