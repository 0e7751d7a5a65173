/** The day of the results in the examples of the ingestion contract, which is replaced by yesterday. */
const exampleDay = '2026-11-15';

/**
 * Sets the dates of a contract's examples for the day of the request: UNIX times marked with `# a week ago`,
 * and the day of results. OpenAPI has no relative dates, and fixed examples would fail later: the services
 * refuse a backdate of more than 28 days and results from before their agent existed.
 */
export function datedExamples(text: string, now: Date): string {
  const aWeekAgoS = Math.floor(now.getTime() / 1000) - 7 * 86_400;
  const yesterday = new Date(now.getTime() - 86_400_000).toISOString().slice(0, 10);
  return text
    .replaceAll(/\b\d+(?= # a week ago$)/gm, String(aWeekAgoS))
    .replaceAll(exampleDay, yesterday);
}
