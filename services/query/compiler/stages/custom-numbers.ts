import { as, type Column } from '../../../shared/sql/select.ts';
import { endedAtColumn, positiveNumber } from '../field-value.ts';
import type { LeftOut, Stage } from '../stage.ts';

// The stages that read a number from the metadata of a household. Results without one are left out.

export const relativeTo: Stage = {
  name: 'relativeTo',
  of({ report, form }) {
    const asked = report?.relativeTo;
    if (asked === undefined) return undefined;
    const isOfHousehold = asked.of === 'household';
    return {
      results: {
        columns: [
          as(positiveNumber(asked.field, form), 'relative_to'),
          ...(isOfHousehold ? [endedAtColumn(form)] : []),
        ],
        fields: [asked.field],
      },
      leavesOut: [withoutNumber('relative_to', 'results_without_field', 'resultsWithoutField')],
      household: isOfHousehold
        ? {
            aggregates: (_, counted) => [lastOf('relative_to', counted)],
            valueOfHousehold: (statistic) => `100 * ${statistic} / relative_to`,
          }
        : { valueOfResult: '100 * value / relative_to' },
    };
  },
};

export const weight: Stage = {
  name: 'weight',
  of({ report, form }) {
    const field = report?.weight;
    if (field === undefined) return undefined;
    const column = 'household_weight';
    return {
      results: {
        columns: [as(positiveNumber(field, form), column), endedAtColumn(form)],
        fields: [field],
      },
      leavesOut: [withoutNumber(column, 'results_without_weight', 'resultsWithoutWeight')],
      household: {
        aggregates: (_, counted) => [lastOf(column, counted)],
        columns: () => [as(column, 'weight')],
      },
    };
  },
};

function withoutNumber(number: string, column: string, name: LeftOut['name']): LeftOut {
  const when = { kept: `${number} IS NOT NULL`, leftOut: `${number} IS NULL` };
  return { column, name, counts: 'results', when };
}

/** The number as of the last result that counts. */
function lastOf(column: string, counted: string): Column {
  return as(`assumeNotNull(argMaxIf(${column}, ended_at,\n    ${counted}))`, column);
}
