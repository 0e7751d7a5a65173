/**
 * Sets the UNIX times that the text of a contract marks with `# a week ago`. OpenAPI has no relative dates,
 * and the service refuses a backdate of more than 28 days, so that a fixed example would fail.
 */
export function datedExamples(text: string, now: Date): string {
  const aWeekAgoS = Math.floor(now.getTime() / 1000) - 7 * 86_400;
  return text.replaceAll(/\b\d+(?= # a week ago$)/gm, String(aWeekAgoS));
}
