type Valid<T> = { readonly [K in keyof T]?: NonNullable<T[K]> };

/** Leaves out fields that were not given or are invalid; invalid ones are in the problems already. */
export function validFields<T extends object>(fields: T): Valid<T> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && value !== null),
  ) as Valid<T>;
}
