import type { Problems } from '../../shared/errors/problems.ts';
import { isStorable, type Parsed, shown, unstorable } from './parse-fields.ts';

/** `<isp>:<package>` or `<isp>:`. Names may hold colons too, so where it splits is settled later. */
export function parsePackageName(value: unknown, path: string, problems: Problems): Parsed<string> {
  if (value === undefined) return undefined;
  if (typeof value !== 'string' || !/^[^:].*:/s.test(value)) {
    return problems.add(path, `${shown(value)} is not a valid package name.`);
  }
  return isStorable(value) ? value : problems.add(path, unstorable);
}
