import type { LocalWindow } from '../request/report/report.ts';

/** SQL over `local_time`. The numbers were parsed: they are weekdays and hours. */
export function windowCondition({ days, hours, invert }: LocalWindow): string {
  const conditions = [
    ...(days.length === 0 ? [] : [`toDayOfWeek(local_time) IN (${days.join(', ')})`]),
    ...(hours.length === 0 ? [] : [`toHour(local_time) IN (${hours.join(', ')})`]),
  ];
  const all = conditions.join(' AND ');
  return invert ? `NOT (${all})` : conditions.length === 1 ? all : `(${all})`;
}
