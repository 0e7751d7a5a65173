type Good<T> = { readonly [K in keyof T]?: NonNullable<T[K]> };

/** Leaves out what was not given and what was wrong; the latter is among the problems already. */
export function onlyGood<T extends object>(fields: T): Good<T> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && value !== null),
  ) as Good<T>;
}
