import type { DataApi } from '../api/data-api.ts';
import type { Field } from '../../../../openapi/client/index.ts';
import { colourSlots, type SlotOf } from '../series/colour-slots.ts';

/** Finds the values of the splits, whose order gives series their colours. Asks once per field. */
export function knownSlots(
  api: DataApi,
  fields: readonly Field[],
): (splits: readonly string[]) => Promise<SlotOf> {
  const asked = new Map<string, Promise<readonly string[]>>();

  function valuesOf(id: string): Promise<readonly string[]> {
    const field = fields.find((one) => one.id === id);
    const values =
      asked.get(id) ??
      // Without the list, colours follow the text of the values.
      (field === undefined ? Promise.resolve([]) : api.fieldValues(field, '').catch(() => []));
    asked.set(id, values);
    return values;
  }

  return async (splits) => colourSlots(await Promise.all(splits.map(valuesOf)));
}
