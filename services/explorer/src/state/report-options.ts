import type { Metric, MetricQuery } from '../../../../openapi/client/index.ts';
import { methodFields, methods } from '../../../catalog/methods.ts';
import { off, type ReportKey, type ReportOptions } from './report-texts.ts';
import type { Query } from './view-state.ts';
import { readWeekHours, weekHoursText, wholeWeek } from './week-hours.ts';

/** The options of a query: its own, and those of its method. An option that is off is absent. */
export interface EffectiveReport {
  readonly of: (key: ReportKey) => string | undefined;
  /** The field of `relativeTo`; undefined without one. */
  readonly relativeTo: string | undefined;
  /** What the method has, which its own options override. */
  readonly ofMethod: ReportOptions;
  readonly relativeToOfMethod: string | undefined;
}

export function effectiveReport(query: Query, metric: Metric | undefined): EffectiveReport {
  const fields = fieldsOfMethod(query, metric);
  const ofMethod = methodTexts(fields);
  const relativeToOfMethod = fields.relativeTo?.field;
  const unlessOff = (text: string | undefined) => (text === off ? undefined : text);
  return {
    of: (key) => unlessOff(query.report[key] ?? ofMethod[key]),
    relativeTo: unlessOff(query.relativeTo === '' ? relativeToOfMethod : query.relativeTo),
    ofMethod,
    relativeToOfMethod,
  };
}

function fieldsOfMethod(
  { report, splits, filters }: Query,
  metric: Metric | undefined,
): Partial<MetricQuery> {
  const method = methods.find(({ key }) => key === report.method);
  if (method === undefined || metric === undefined) return {};
  const kind = metric.madeOf.numerator === undefined ? 'value' : 'ratio';
  const asked = [
    ...splits,
    ...filters.filter(({ values }) => values.length > 0).map(({ id }) => id),
  ];
  return methodFields(method, { ...metric, measure: { kind } }, asked);
}

function methodTexts({
  household,
  weight,
  percentileRule,
  consistent,
  switchers,
  window,
  minAgents,
}: Partial<MetricQuery>): ReportOptions {
  const texts: Readonly<Partial<Record<ReportKey, string | null | undefined>>> = {
    statistic: household?.statistic,
    trim: household?.trim?.map((bound) => bound ?? '').join('~'),
    trim_over: household?.trimOver,
    weight,
    percentile_rule: percentileRule,
    consistent: consistent ? `${consistent.households}~${consistent.results}` : undefined,
    switchers,
    window: window
      ? weekHoursText({
          days: window.days ?? wholeWeek.days,
          hours: window.hours ?? wholeWeek.hours,
        })
      : undefined,
    min_agents: minAgents?.toString(),
  };
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => text != null));
}

/** The report after a change of one option: only what differs from the method is kept. */
export function withReportText(
  report: ReportOptions,
  key: ReportKey,
  text: string,
  ofMethod: string | undefined,
): ReportOptions {
  const others = Object.entries(report).filter(([other]) => other !== key);
  const isOfMethod = text === (ofMethod ?? '');
  return Object.fromEntries(isOfMethod ? others : [...others, [key, text === '' ? off : text]]);
}

type PercentileRule = NonNullable<MetricQuery['percentileRule']> | null;
type Switchers = NonNullable<MetricQuery['switchers']> | null;
type Household = NonNullable<MetricQuery['household']> | null;

/** The fields of a request. Those of the method are not repeated, and null leaves one of them out. */
export function reportBody(query: Query, { of }: EffectiveReport): Partial<MetricQuery> {
  const { report, agentAgg } = query;
  const has = (...keys: readonly ReportKey[]) => keys.some((key) => report[key] !== undefined);
  const numberOf = (key: ReportKey) => {
    const text = of(key);
    return text === undefined ? undefined : Number(text);
  };
  const shares = of('shares');
  const coverage = of('coverage');
  const consistent = pairOf(of('consistent'));
  return {
    ...(report.method === undefined
      ? {}
      : { method: report.method as NonNullable<MetricQuery['method']> }),
    ...(has('statistic', 'trim', 'trim_over', 'min_results', 'min_days')
      ? { household: householdOf(of, numberOf) }
      : {}),
    ...(has('weight') ? { weight: of('weight') ?? null } : {}),
    ...(has('percentile_rule')
      ? { percentileRule: (of('percentile_rule') ?? null) as PercentileRule }
      : {}),
    ...(has('consistent')
      ? {
          consistent: consistent && { households: consistent[0] ?? 0, results: consistent[1] ?? 0 },
        }
      : {}),
    ...(has('switchers') ? { switchers: (of('switchers') ?? null) as Switchers } : {}),
    ...(shares === undefined
      ? {}
      : {
          shares: {
            thresholds: shares.split(',').map(Number),
            ...(of('statistic') === undefined && !agentAgg ? { of: 'results' as const } : {}),
          },
        }),
    ...(has('min_agents') ? { minAgents: numberOf('min_agents') ?? null } : {}),
    ...(coverage === undefined
      ? {}
      : { coverage: coverage === 'schedule' ? {} : { resultsPerHour: Number(coverage) } }),
  };
}

/** `window` and `knownAt`, which raw results have too. */
export function selectionBody(
  { report }: Query,
  { of }: EffectiveReport,
): Pick<MetricQuery, 'window' | 'knownAt'> {
  const knownAt = of('known_at');
  return {
    ...(report.window === undefined ? {} : { window: windowBody(of('window')) }),
    ...(knownAt === undefined ? {} : { knownAt }),
  };
}

/** Null for the whole week. */
export function windowBody(text: string | undefined): NonNullable<MetricQuery['window']> | null {
  const { days, hours } = readWeekHours(text ?? '');
  const part = {
    ...(days.length < 7 ? { days: [...days] } : {}),
    ...(hours.length < 24 ? { hours: [...hours] } : {}),
  };
  return Object.keys(part).length === 0 ? null : part;
}

function householdOf(
  of: EffectiveReport['of'],
  numberOf: (key: ReportKey) => number | undefined,
): Household {
  const [trim, minResults, minDays] = [
    pairOf(of('trim')),
    numberOf('min_results'),
    numberOf('min_days'),
  ];
  const statistic = of('statistic');
  // A trim or a minimum alone is one of the usual value of a household.
  if (statistic === undefined && trim === null && (minResults ?? minDays) === undefined)
    return null;
  const trimOver = of('trim_over') as 'window' | 'range' | undefined;
  return {
    statistic: statistic ?? 'mean',
    ...(trim === null ? {} : { trim: [...trim] }),
    ...(trimOver === undefined ? {} : { trimOver }),
    ...(minResults === undefined ? {} : { minResults }),
    ...(minDays === undefined ? {} : { minDays }),
  };
}

/** `1~99`; an empty end is open. */
function pairOf(text: string | undefined): readonly (number | null)[] | null {
  if (text === undefined || text === '~') return null;
  return text.split('~').map((end) => (end === '' ? null : Number(end)));
}
