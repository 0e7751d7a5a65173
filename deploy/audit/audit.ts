import { spawnSync } from 'node:child_process';
import { repositoryRoot } from '../../services/shared/repository-root.ts';
import { allowedLicences } from './allowed-licences.ts';
import { type ShippedPackage, shippedPackages } from './shipped-packages.ts';

// `make audit`: checks the shipped packages for known advisories and licences. The exit code is 1 when a
// package has an advisory or a licence that is not allowed.

const advisories = knownAdvisories();
const shipped = shippedPackages();
const unwanted = shipped.filter(({ licence }) => !isAllowed(licence));
print(advisories.text);
print(`\nLicences of the ${shipped.length} shipped packages:\n`);
print(licenceTable(shipped));
for (const { name, version, licence } of unwanted) {
  print(
    `${name} ${version} has the licence ${licence}, which is not in deploy/audit/allowed-licences.ts`,
  );
}
process.exit(advisories.isClean && unwanted.length === 0 ? 0 : 1);

interface Advisories {
  readonly isClean: boolean;
  readonly text: string;
}

/** Some registries, such as mirrors, do not support audits. This is reported and does not fail. */
function knownAdvisories(): Advisories {
  const { stdout } = spawnSync('npm', ['audit', '--omit=dev', '--json'], {
    cwd: repositoryRoot,
    encoding: 'utf8',
  });
  const report = parsed(stdout);
  if (report?.vulnerabilities === undefined) {
    const reason = report?.message ?? 'no report';
    return {
      isClean: true,
      text: `Advisories: NOT CHECKED, the registry does not support audits (${reason}).`,
    };
  }
  const found = Object.values(report.vulnerabilities);
  const lines = found.map(({ name, severity, range }) => `  ${severity}: ${name} ${range}`);
  return {
    isClean: found.length === 0,
    text: [`Advisories: ${found.length} shipped packages have one.`, ...lines].join('\n'),
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

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
