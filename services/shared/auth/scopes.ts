/** The scopes of each interface: what its tokens can be allowed to do. */
export const scopes = {
  data: ['data:read', 'data:export', 'views:write', 'results:write'],
  metadata: ['metadata:read', 'metadata:write', 'metadata:erase'],
} as const;

type Interface = keyof typeof scopes;

/** An operation names its scope in the contract, as `x-scope`. */
export type Scope = (typeof scopes)[Interface][number];

/** The scopes of a new token, unless others are chosen. Loading, erasing and replacing the map must be chosen. */
export const defaultScopes: Readonly<Record<Interface, readonly Scope[]>> = {
  data: ['data:read', 'data:export'],
  metadata: ['metadata:read', 'metadata:write'],
};
