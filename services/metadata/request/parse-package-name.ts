import type { Problems } from '../../shared/errors/problems.ts';
import { isStorable, type Parsed, shown, unstorable } from './parse-fields.ts';

/**
 * `<isp>:<package>`, or `<isp>:` for an ISP without a package. Names may contain colons, so findPackage
 * does the splitting.
 */
export function parsePackageName(value: unknown, path: string, problems: Problems): Parsed<string> {
  if (value === undefined) return undefined;
  if (typeof value !== 'string' || !/^[^:].*:/s.test(value)) {
    return problems.add(path, notAPackage(value));
  }
  return isStorable(value) ? value : problems.add(path, unstorable);
}

export function notAPackage(value: unknown): string {
  return `${shown(value)} is not a valid package name.`;
}
