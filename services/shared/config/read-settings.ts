import type { Setting } from './setting.ts';

export type Environment = Readonly<Record<string, string | undefined>>;
export type SettingsTable = Readonly<Record<string, Setting<unknown>>>;
export type SettingValues<T extends SettingsTable> = {
  readonly [K in keyof T]: T[K] extends Setting<infer V> ? V : never;
};

/** A rule about several settings: a problem or undefined. An invalid setting has the value undefined. */
export type SettingsRule<V> = (values: Partial<V>) => string | undefined;

/** Reads all settings. Throws one SettingsError that lists all problems, also those of the rules. */
export function readSettings<T extends SettingsTable>(
  table: T,
  environment: Environment,
  rules: readonly SettingsRule<SettingValues<T>>[] = [],
): SettingValues<T> {
  const problems: string[] = [];
  const entries = Object.entries(table).map(([key, setting]) => {
    const given = environment[setting.name];
    // An empty variable counts as not set: compose files and charts cannot leave one out.
    const text = given === undefined || given === '' ? setting.fallback : given;
    if (text === undefined) {
      problems.push(`${setting.name} is not set: ${setting.about}`);
      return [key, undefined];
    }
    try {
      return [key, setting.parse(text)];
    } catch (error) {
      // The message of the parser repeats the value.
      const shown = setting.secret ? `is not valid: ${setting.about}` : (error as Error).message;
      problems.push(`${setting.name} ${shown}`);
      return [key, undefined];
    }
  });
  const values = Object.fromEntries(entries) as SettingValues<T>;
  problems.push(...rules.map((rule) => rule(values)).filter((problem) => problem !== undefined));
  if (problems.length > 0) throw new SettingsError(problems);
  return values;
}

export class SettingsError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`Invalid settings:\n${problems.map((line) => `  ${line}`).join('\n')}`);
    this.name = 'SettingsError';
    this.problems = problems;
  }
}
