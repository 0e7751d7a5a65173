import { spawnSync } from 'node:child_process';
import { repositoryRoot } from '../../services/shared/repository-root.ts';
import { allowedLicences } from './allowed-licences.ts';
import { type ShippedPackage, shippedPackages } from './shipped-packages.ts';

// `make audit`: what is known against the packages that are shipped, and their licences. Ends with 1
// when an advisory or a licence stands against one of them.

const advisories = knownAdvisories();
const shipped = shippedPackages();
const unwanted = shipped.filter(({ licence }) => !isAllowed(licence));
tell(advisories.text);
tell(`\nLicences of the ${shipped.length} packages that are shipped:\n`);
tell(licenceTable(shipped));
for (const { name, version, licence } of unwanted) {
  tell(
    `${name} ${version} is under ${licence}, which deploy/audit/allowed-licences.ts does not list`,
  );
}
process.exit(advisories.isClean && unwanted.length === 0 ? 0 : 1);

interface Advisories {
  readonly isClean: boolean;
  readonly text: string;
}

/** Not every registry answers an audit: a mirror may not. That is said, and fails nothing. */
function knownAdvisories(): Advisories {
  const { stdout } = spawnSync('npm', ['audit', '--omit=dev', '--json'], {
    cwd: repositoryRoot,
    encoding: 'utf8',
  });
  const report = parsed(stdout);
  if (report?.vulnerabilities === undefined) {
    const why = report?.message ?? 'no report';
    return {
      isClean: true,
      text: `Advisories: NOT CHECKED, the registry does not answer (${why}).`,
    };
  }
  const found = Object.values(report.vulnerabilities);
  const lines = found.map(({ name, severity, range }) => `  ${severity}: ${name} ${range}`);
  return {
    isClean: found.length === 0,
    text: [`Advisories: ${found.length} packages that are shipped have one.`, ...lines].join('\n'),
  };
}

interface AuditReport {
  readonly message?: string;
  readonly vulnerabilities?: Readonly<
    Record<string, { readonly name: string; readonly severity: string; readonly range: string }>
  >;
}

function parsed(text: string): AuditReport | undefined {
  try {
    return JSON.parse(text) as AuditReport;
  } catch {
    return undefined;
  }
}

function isAllowed(licence: string): boolean {
  return licence.split(' OR ').some((one) => allowedLicences.includes(one));
}

/** `| MIT | 165 | express, … |` */
function licenceTable(packages: readonly ShippedPackage[]): string {
  const licences = [...new Set(packages.map(({ licence }) => licence))].sort();
  const rows = licences.map((licence) => {
    const under = packages.filter((one) => one.licence === licence);
    const names = [...new Set(under.map(({ name }) => name))].join(', ');
    return `| ${licence} | ${under.length} | ${names} |`;
  });
  return ['| licence | packages | names |', '|---|---|---|', ...rows].join('\n');
}

function tell(line: string): void {
  process.stdout.write(`${line}\n`);
}
