interface Release {
  /** The output of sha256sum. */
  readonly checksums: string;
  readonly revision: string;
  readonly base: string;
  /** `none` if no image was built. */
  readonly baseDigest: string;
  readonly now: Date;
}

/** An in-toto statement with SLSA provenance: which files were built from which revision. It is not signed. */
export function provenance({ checksums, revision, base, baseDigest, now }: Release): object {
  const subject = [...checksums.matchAll(/^([0-9a-f]{64}) [ *](.+)$/gm)].map(
    ([, sha256, name]) => ({ name, digest: { sha256 } }),
  );
  const [algorithm = '', digest = ''] = baseDigest.split(':');
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject,
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: 'make release',
        externalParameters: { base },
        resolvedDependencies: [
          { name: 'source', digest: { gitCommit: revision } },
          ...(digest === '' ? [] : [{ name: base, digest: { [algorithm]: digest } }]),
        ],
      },
      runDetails: {
        builder: { id: 'deploy/release/release.sh', version: { node: process.version } },
        metadata: { finishedOn: now.toISOString() },
      },
    },
  };
}
