/** The URL of a path of this service; without PUBLIC_URL the path itself, relative to the address of the request. */
export function publicLink({ publicUrl }: { readonly publicUrl: string }, path: string): string {
  return `${publicUrl.replace(/\/+$/, '')}${path}`;
}
