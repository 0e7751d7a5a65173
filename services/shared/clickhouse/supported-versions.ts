import { UnsupportedVersionError } from '../http/dependency.ts';

/** The ClickHouse versions that netpanel works with. A version newer than tested is accepted. */
const supportedVersions = {
  /** A long-term support release. */
  oldest: { major: 25, minor: 8 },
  newestTested: { major: 26, minor: 9 },
} as const;

/** '25.8'. */
export const oldestVersion = versionText(supportedVersions.oldest);
/** '26.9'. */
export const newestTestedVersion = versionText(supportedVersions.newestTested);

/**
 * Throws an UnsupportedVersionError unless netpanel works with this version of ClickHouse. Returns a
 * warning for a version that is newer than tested.
 */
export function checkVersion(text: string): string | undefined {
  const version = parseVersion(text);
  if (version === undefined) {
    throw new UnsupportedVersionError(
      `ClickHouse reports the version "${text}", which must look like 25.8.2.29: ${needs}`,
    );
  }
  if (isOlder(version, supportedVersions.oldest)) {
    throw new UnsupportedVersionError(`ClickHouse ${text} is not supported: ${needs}`);
  }
  return isOlder(supportedVersions.newestTested, version)
    ? `ClickHouse ${text} is newer than the newest tested version, ${newestTestedVersion}`
    : undefined;
}

const needs = `netpanel needs ${oldestVersion} or later (tested up to ${newestTestedVersion})`;

interface Version {
  readonly major: number;
  readonly minor: number;
}

// 25.8.2.29, 25.8.2.1-testing, 25.8.16.10002.altinitystable: only the first two numbers matter.
function parseVersion(text: string): Version | undefined {
  const [, major, minor] = /^(\d+)\.(\d+)(?:[.-]|$)/.exec(text) ?? [];
  return minor === undefined ? undefined : { major: Number(major), minor: Number(minor) };
}

function isOlder(a: Version, b: Version): boolean {
  return a.major === b.major ? a.minor < b.minor : a.major < b.major;
}

function versionText({ major, minor }: Version): string {
  return `${major}.${minor}`;
}
