import type { RequestWindow } from './metric-request.ts';

const dayNames = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

/** Whether a local time is in the weekdays and hours of a request. */
export function isInWindow(window: RequestWindow | undefined, localMs: number): boolean {
  if (window === undefined) return true;
  const local = new Date(localMs);
  const isDay = window.days?.includes(dayNames[local.getUTCDay()]!) ?? true;
  const isHour = window.hours?.includes(local.getUTCHours()) ?? true;
  return (isDay && isHour) !== (window.invert ?? false);
}
