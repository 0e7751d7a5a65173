import { setting } from '../../shared/config/setting.ts';
import type { SettingValues } from '../../shared/config/read-settings.ts';

/**
 * Limits of custom metadata. All of it is in the memory of every ClickHouse node, and every key is a
 * filter and a split. Stored data above a limit stays readable.
 */
export const customLimitSettings = {
  customKeyMaxCharacters: setting.number(
    'CUSTOM_KEY_MAX_CHARACTERS',
    'Maximum length of a custom metadata key, in characters.',
    64,
    1,
  ),
  customKeysMax: setting.number(
    'CUSTOM_KEYS_MAX',
    'Maximum number of custom metadata keys per organisation.',
    200,
    1,
  ),
  customValueMaxCharacters: setting.number(
    'CUSTOM_VALUE_MAX_CHARACTERS',
    'Maximum length of a custom metadata value, in characters.',
    1_024,
    1,
  ),
  customMaxBytesPerAgent: setting.number(
    'CUSTOM_MAX_BYTES_PER_AGENT',
    'Maximum size of the custom metadata of an agent at a time, in bytes of JSON.',
    65_536,
    1,
  ),
};

export type CustomLimits = SettingValues<typeof customLimitSettings>;

/** Describes what is too long in a custom field, for the client; undefined: nothing. */
export function longFieldProblem(
  key: string,
  value: string | number,
  { customKeyMaxCharacters, customValueMaxCharacters }: CustomLimits,
): string | undefined {
  if (isLonger(key, customKeyMaxCharacters)) {
    return `This key is too long. The maximum is ${customKeyMaxCharacters} characters.`;
  }
  if (typeof value === 'string' && isLonger(value, customValueMaxCharacters)) {
    return `This value is too long. The maximum is ${customValueMaxCharacters} characters.`;
  }
  return undefined;
}

// A character outside of the basic plane, such as 🙂, has two UTF-16 units.
function isLonger(text: string, maxCharacters: number): boolean {
  if (text.length <= maxCharacters) return false;
  return text.length > 2 * maxCharacters || Array.from(text).length > maxCharacters;
}
