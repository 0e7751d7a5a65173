import type { Field } from '../../../../openapi/client/index.ts';
import { filledIn, peakOf } from '../api/request-body.ts';
import { fieldName } from '../form/splits-field.ts';
import type { Sides } from '../series/comparison-words.ts';
import { rangeBefore, rangeOf } from '../state/local-days.ts';
import type { EffectiveReport } from '../state/report-options.ts';
import type { Query, QueryFilter } from '../state/view-state.ts';
import { peakHours, weekHoursWords } from '../state/week-hours.ts';

/** Both sides of the view, for its chart and its sentences. */
export function comparedSides(
  query: Query,
  report: EffectiveReport,
  fields: readonly Field[],
): Sides {
  const { compare } = query;
  const groupText = (filters: readonly QueryFilter[]) =>
    filterTexts(filters, fields).join(', ') || 'all households';
  if (query.view === 'peak') {
    const window = peakOf(report);
    const hours = weekHoursWords(window);
    const isPeak = window === peakHours;
    return {
      here: isPeak ? `Peak (${hours})` : hours,
      there: isPeak ? 'Off-peak' : 'All other hours',
      than: isPeak ? 'at peak' : `${hours} than at other hours`,
      verb: 'is',
    };
  }
  switch (compare.with) {
    case 'before':
    case 'period': {
      const here = rangeOf(query);
      const there = compare.with === 'period' ? compare : rangeBefore(query);
      return {
        here: rangeText(here),
        there: there === undefined ? '' : rangeText(there),
        than: `${withPreposition(here)} than ${there === undefined ? '' : withPreposition(there)}`,
        verb: 'was',
      };
    }
    case 'group': {
      const [here, there] = [groupText(query.filters), groupText(compare.filters)];
      return { here, there, than: `for ${here} than for ${there}`, verb: 'is' };
    }
    case 'window': {
      const own = report.of('window');
      const [here, there] = [own ?? '', compare.window].map(weekHoursWords);
      return {
        here: here ?? '',
        there: there ?? '',
        than: `${here ?? ''} than ${there ?? ''}`,
        verb: 'is',
      };
    }
    case 'known': {
      const here = knownText(report.of('known_at'));
      const there = knownText(compare.knownAt);
      return { here, there, than: `with ${here} than with ${there}`, verb: 'is' };
    }
    case 'rest':
      return {
        here: 'This series',
        there: 'All others together',
        than: 'than all others together',
        verb: 'is',
      };
  }
}

export function filterTexts(
  filters: readonly QueryFilter[],
  fields: readonly Field[],
): readonly string[] {
  return filledIn(filters).map(
    ({ id, mode, values }) =>
      `${fieldName(fields, id)} ${mode === 'include' ? 'is' : 'is not'} ${values.join(' or ')}`,
  );
}

interface Range {
  readonly from: string;
  readonly to: string;
}

/** A range of one day is that day. */
function rangeText({ from, to }: Range): string {
  return from === to ? from : `${from} to ${to}`;
}

/** The metadata of a side. */
function knownText(knownAt: string | undefined): string {
  return knownAt === undefined ? 'the metadata of now' : `the metadata known at ${knownAt} UTC`;
}

function withPreposition(range: Range): string {
  return `${range.from === range.to ? 'on' : 'from'} ${rangeText(range)}`;
}
