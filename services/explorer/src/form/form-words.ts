import type { FieldErrors } from '../api/api-error.ts';

/** The service's messages are about JSON; this rewords them for the fields of the form. */
export function formWords(errors: FieldErrors): FieldErrors {
  return Object.fromEntries(
    Object.entries(errors).map(([path, messages]) => [
      path,
      messages.map((message) => wordsFor(path, message) ?? message),
    ]),
  );
}

function wordsFor(path: string, message: string): string | undefined {
  return rules.find(([pattern]) => pattern.test(path))?.[1](message);
}

type Rule = readonly [path: RegExp, words: (message: string) => string | undefined];

const rules: readonly Rule[] = [
  [/^metric$/, metricWords],
  [
    /^time\[(from|to)\]$/,
    () => 'Enter a date such as 2026-01-31 or 2026-01-31 13:00, or now, -7 days or last monday.',
  ],
  [/^time$/, rangeWords],
  [/^filters\[\d+\]\[filterValues\]/, () => 'Choose at least one value, or remove this filter.'],
  [/^filters\[\d+\](\[id\])?$/, () => 'This metric does not have this field. Remove the filter.'],
  [/^splits\[\d+\]$/, splitWords],
  [/^relativeTo/, relativeWords],
  [/^shares/, () => 'Enter numbers in the unit of the metric, such as 25, 50, 100.'],
  [/^weight$/, weightWords],
  [/^household\[trim\]/, () => 'Enter one or two percentiles from 0 to 100, the lower one first.'],
  [/^household\[trimOver\]/, () => 'Enter the percentiles of the trim too.'],
  [/^consistent/, consistentWords],
  [/^percentileRule$/, () => needsHousehold],
  [/^knownAt$/, knownAtWords],
  [/^coverage/, coverageWords],
  [/^method$/, () => 'No method has this name. Choose one from the list.'],
  [/^compare$/, compareWords],
  [/^compare\[to\]$/, () => 'Choose a split first: each series is then compared with all others.'],
  [
    /^compare\[time\]/,
    () => 'Enter two dates such as 2026-01-01 and 2026-01-31, the earlier one first.',
  ],
  [/^compare\[filters\]\[\d+\]\[id\]$/, splitFilterWords],
];

const needsHousehold = 'Choose a household statistic first.';

function weightWords(message: string): string {
  return message.includes('household')
    ? needsHousehold
    : 'No household has a weight in this field.';
}

function consistentWords(message: string): string {
  return message.includes('household too')
    ? needsHousehold
    : 'Enter two percentiles from 0 to 100.';
}

function knownAtWords(message: string): string | undefined {
  if (/future/i.test(message)) return 'The moment must not be in the future.';
  const [, start] = /begins at (.+)\. Send/.exec(message) ?? [];
  if (start !== undefined) return `The metadata history begins at ${start}. Enter a later moment.`;
  return message.startsWith('Invalid')
    ? 'Enter a date such as 2026-01-31 or 2026-01-31 13:00, in UTC.'
    : undefined;
}

function coverageWords(message: string): string | undefined {
  if (message.includes('schedule')) return 'This test has no schedule. Enter its results per hour.';
  const [, other] = /^Not with (\w+)\.$/.exec(message) ?? [];
  if (other === 'knownAt')
    return 'Coverage needs current metadata. Clear “Metadata as recorded at”, or turn coverage off.';
  if (message.includes('split or filter')) {
    return 'Coverage cannot be split or filtered by a field of results, such as the target. Use ISP, package, country or custom fields.';
  }
  return message.includes('number above 0') ? 'Enter a number above 0.' : undefined;
}

function compareWords(message: string): string | undefined {
  return message === 'Not with coverage.'
    ? 'A comparison has no coverage. Turn it off in the section Report.'
    : undefined;
}

function splitFilterWords(message: string): string | undefined {
  return message.includes('split')
    ? 'The series are split by this field. Remove the split, or this filter.'
    : 'This metric does not have this field. Remove the filter.';
}

/** The service suggests a key, which the field's search also finds. */
function metricWords(message: string): string {
  const suggestion = /Did you mean ([^?]+)\?/.exec(message)?.[1];
  const advice = suggestion === undefined ? '' : ` Did you mean ${suggestion}?`;
  return `No metric has this name.${advice} Type a word such as download, and choose from the list.`;
}

function rangeWords(message: string): string | undefined {
  const days = /at most (\d+) days/.exec(message)?.[1];
  if (days !== undefined) return `The range is too long. Choose at most ${days} days.`;
  return /before|after|order/i.test(message) ? 'The start must be before the end.' : undefined;
}

function splitWords(message: string): string | undefined {
  return /unknown|does not exist|has no/i.test(message)
    ? 'This metric does not have this field. Remove it, or choose another one.'
    : undefined;
}

function relativeWords(message: string): string | undefined {
  return /number/i.test(message) ? 'This field has no numbers. Choose another one.' : undefined;
}
