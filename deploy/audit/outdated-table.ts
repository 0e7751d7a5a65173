/** What `npm outdated --json` says about a package. */
export interface OutdatedPackage {
  readonly name: string;
  /** Undefined if it is not installed here. */
  readonly current?: string;
  /** The newest version that package.json allows. */
  readonly wanted: string;
  readonly latest: string;
}

/** A Markdown table of packages, and those that package.json holds back without a reason. */
export function outdatedTable(
  packages: readonly OutdatedPackage[],
  reasons: Readonly<Record<string, string>>,
): { readonly text: string; readonly unexplained: readonly string[] } {
  const newer = packages.filter(({ current, wanted, latest }) => (current ?? wanted) !== latest);
  const unexplained = newer
    .filter(({ name, wanted, latest }) => wanted !== latest && reasons[name] === undefined)
    .map(({ name }) => name);
  const rows = newer.map(({ name, current, wanted, latest }) => {
    const holder =
      wanted === latest
        ? 'nothing: `npm update`'
        : (reasons[name] ?? '**no reason in deploy/audit/held-back.ts**');
    return `| ${name} | ${current ?? wanted} | ${latest} | ${holder} |`;
  });
  const head = ['| package | current | latest | held back by |', '| --- | --- | --- | --- |'];
  const text = rows.length === 0 ? ['Every direct dependency is the latest.'] : [...head, ...rows];
  return { text: `${text.join('\n')}\n`, unexplained };
}
