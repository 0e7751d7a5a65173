import { dataVersionsFeeds } from './data-versions-feeds.ts';
import { filterValuesViews } from './filter-values-views.ts';
import type { GeneratedObject } from './generated-object.ts';
import { lastRowsFeeds } from './last-rows-feeds.ts';
import { metricViews } from './metric-views.ts';
import { resultsViews } from './results-views.ts';

/** All generated objects, in the order of creation: a view comes after the views that it reads. */
export function generatedObjects(): readonly GeneratedObject[] {
  return [
    ...filterValuesViews(),
    ...lastRowsFeeds(),
    ...dataVersionsFeeds(),
    ...resultsViews(),
    ...metricViews(),
  ];
}
