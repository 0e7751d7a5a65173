import { weekHoursForm } from './week-hours.ts';

const count = /^\d{1,9}$/;
const positive = /^\d{1,9}(?:\.\d{1,9})?$/;
const pair = /^(?:[\d.]{1,8})?~(?:[\d.]{1,8})?$/;

/** The texts that each option of the section Report can have in a link. */
const forms = {
  method: /^[a-z0-9-]{1,40}$/,
  statistic: /^(?:mean|median|min|max|trimmedMean|p[\d.]{1,8})$/,
  trim: pair,
  trim_over: /^(?:window|range)$/,
  min_results: count,
  min_days: count,
  weight: /^.{1,200}$/,
  percentile_rule: /^(?:linear|lower|average)$/,
  consistent: pair,
  switchers: /^(?:asOf|longest|drop)$/,
  window: weekHoursForm,
  known_at: /^[-\w :.+]{1,40}$/,
  shares: /^-?[\d.]{1,12}(?:,-?[\d.]{1,12}){0,19}$/,
  min_agents: count,
  coverage: /^(?:schedule|\d{1,4}(?:\.\d{1,9})?)$/,
} as const satisfies Readonly<Record<string, RegExp>>;

export type ReportKey = keyof typeof forms;
export const reportKeys = Object.keys(forms) as readonly ReportKey[];

/** The section Report of the form, as in a link. Absent: that of the method, or else none. */
export type ReportOptions = Readonly<Partial<Record<ReportKey, string>>>;

/** None, although the method has one. */
export const off = 'off';

export function isReportText(key: ReportKey, text: string): boolean {
  return text === off || forms[key].test(text) || (key === 'coverage' && positive.test(text));
}
