import { knownAtFields } from './known-at.ts';
import { methodField } from './method.ts';
import { reportFields } from './report-fields.ts';
import type { RequestFields } from './request-field.ts';
import { selectionFields } from './splits-and-filters.ts';
import { subjectFields } from './subject.ts';
import { timeFields } from './time.ts';
import { windowFields } from './window.ts';

/** The fields of a request for metric data, in the order of the contract. */
export const metricFields: RequestFields = {
  ...subjectFields,
  ...selectionFields,
  ...timeFields,
  ...windowFields,
  ...knownAtFields,
  method: methodField,
  ...reportFields,
};

export const metricFieldNames = Object.keys(metricFields);
