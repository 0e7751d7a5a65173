import process from 'node:process';

const packages: Readonly<Record<string, string>> = {
  'darwin-arm64': '@chdb/lib-darwin-arm64',
  'darwin-x64': '@chdb/lib-darwin-x64',
  'linux-arm64': '@chdb/lib-linux-arm64-gnu',
  'linux-x64': '@chdb/lib-linux-x64-gnu',
};

/** The package with ClickHouse's library for a machine. npm installs only the one of its own platform. */
export function nativeLibraryPackage({
  platform,
  arch,
}: { readonly platform: string; readonly arch: string } = process): string {
  const name = packages[`${platform}-${arch}`];
  if (name === undefined) throw new Error(`no package exists for ${platform}-${arch}`);
  return name;
}
