import type { Field } from '../../../../openapi/client/index.ts';
import { methods } from '../../../catalog/methods.ts';
import type { EffectiveReport } from '../state/report-options.ts';
import type { ReportKey } from '../state/report-texts.ts';
import type { Query } from '../state/view-state.ts';
import { weekHoursWords } from '../state/week-hours.ts';
import { fieldName } from './splits-field.ts';

/** The options of the section Report that change the numbers, for the subtitle. */
export function reportTexts(
  { of }: EffectiveReport,
  { view, report }: Query,
  fields: readonly Field[],
): readonly string[] {
  const method = methods.find(({ key }) => key === report.method);
  const words: Readonly<Partial<Record<ReportKey, (text: string) => string>>> = {
    statistic: statisticWords,
    trim: (text) => `without a household's results ${trimWords(text)}`,
    trim_over: (text) => `trimmed over the ${text}`,
    min_results: (text) => `households with at least ${text} results`,
    min_days: (text) => `households with results on at least ${text} days`,
    weight: (text) => `weighted by ${fieldName(fields, text)}`,
    percentile_rule: (text) => `percentile rule ${text}`,
    consistent: consistentWords,
    switchers: switcherWords,
    // The view itself names its hours.
    ...(view === 'peak' ? {} : { window: (text: string) => `only ${weekHoursWords(text)}` }),
    known_at: (text) => `metadata as recorded at ${text} UTC`,
    min_agents: (text) => `fewer than ${text} households hidden`,
  };
  return [
    ...(method === undefined ? [] : [`method: ${method.name}`]),
    ...Object.entries(words).flatMap(([key, wordsOf]) => {
      const text = of(key as ReportKey);
      return text === undefined ? [] : [wordsOf(text)];
    }),
  ];
}

export const statisticNames: readonly (readonly [string, string])[] = [
  ['mean', 'Mean'],
  ['median', 'Median'],
  ['trimmedMean', 'Mean without the lowest and highest 1 %'],
  ['min', 'Lowest'],
  ['max', 'Highest'],
  ['p20', '20th percentile'],
  ['p80', '80th percentile'],
];

export const switcherNames: readonly (readonly [string, string])[] = [
  ['longest', 'Only the plan with the most days'],
  ['drop', 'Leave these households out'],
];

export const percentileRuleNames: readonly (readonly [string, string])[] = [
  ['lower', 'The lower of two households'],
  ['average', 'The lower, and the mean of both at a tie'],
];

function statisticWords(text: string): string {
  const name =
    statisticNames.find(([value]) => value === text)?.[1] ?? `percentile ${text.slice(1)}`;
  return `one value per household: ${name.charAt(0).toLowerCase()}${name.slice(1)}`;
}

function trimWords(text: string): string {
  const [low = '', high = ''] = text.split('~');
  return [
    ...(low === '' ? [] : [`below its percentile ${low}`]),
    ...(high === '' ? [] : [`above its percentile ${high}`]),
  ].join(' and ');
}

function consistentWords(text: string): string {
  const [households = '', results = ''] = text.split('~');
  return `consistent: percentile ${households} of households, ${results} of their results`;
}

function switcherWords(text: string): string {
  const words: Readonly<Record<string, string>> = {
    asOf: 'switchers count for each plan',
    longest: 'switchers: only the longer plan',
    drop: 'without switchers',
  };
  return words[text] ?? text;
}
