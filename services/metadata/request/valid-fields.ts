type Valid<T> = { readonly [K in keyof T]?: NonNullable<T[K]> };

/** Omits fields that are missing (undefined) or invalid (null). */
export function validFields<T extends object>(fields: T): Valid<T> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && value !== null),
  ) as Valid<T>;
}
