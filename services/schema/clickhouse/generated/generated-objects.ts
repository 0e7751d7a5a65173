import type { GeneratedObject } from './generated-object.ts';
import { insertFeeds } from './insert-feeds.ts';
import { resultTables } from './result-tables.ts';
import { resultViews } from './result-views.ts';

/** All generated objects, in the order of creation: a view comes after the tables and views that it reads. */
export function generatedObjects(): readonly GeneratedObject[] {
  return [...resultTables(), ...insertFeeds(), ...resultViews()];
}
