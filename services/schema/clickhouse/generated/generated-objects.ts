import { filterValuesViews } from './filter-values-views.ts';
import type { GeneratedObject } from './generated-object.ts';
import { lastRowsFeeds } from './last-rows-feeds.ts';
import { metricViews } from './metric-views.ts';
import { resultsViews } from './results-views.ts';

/** In the order in which they are created: a view comes after the views that it reads. */
export function generatedObjects(): readonly GeneratedObject[] {
  return [...filterValuesViews(), ...lastRowsFeeds(), ...resultsViews(), ...metricViews()];
}
