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
  [/^shares/, () => 'Enter a number in the unit of the metric.'],
];

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
