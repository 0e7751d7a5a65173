import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { metadataSettings } from '../../../services/metadata/config.ts';
import { querySettings } from '../../../services/query/config.ts';
import { commonSettings } from '../../../services/shared/config/common-settings.ts';
import { repositoryRoot } from '../../../services/shared/repository-root.ts';

interface ComposeService {
  readonly image: string;
  readonly build?: { readonly target: string; readonly dockerfile: string };
  readonly environment?: Readonly<Record<string, string>>;
  readonly healthcheck?: { readonly disable?: boolean };
  readonly ports?: readonly string[];
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
const ours = ['query', 'metadata', 'migrate', 'seed'];

describe('the compose file', () => {
  it('has both services, their stores, the migrations, and sample data by a profile', () => {
    expect(services).to.have.keys([...ours, 'postgres', 'clickhouse', 'minio', 'bucket']);
    const profiled = Object.entries(services).filter(([, { profiles }]) => profiles !== undefined);
    expect(profiled.map(([name]) => name)).to.deep.equal(['seed']);
  });

  for (const [name, service] of Object.entries(services)) {
    it(`names a version of what ${name} runs, and gives it no more rights than it needs`, () => {
      expect(service.image).to.match(/:[\w.-]*\d[\w.-]*$/);
      expect(service.privileged).to.equal(undefined);
      // This machine only.
      for (const port of service.ports ?? []) expect(port).to.match(/^127\.0\.0\.1:/);
      if (ours.includes(name)) {
        expect(service).to.deep.include({ read_only: true, cap_drop: ['ALL'] });
      }
    });

    it(`knows whether ${name} is well, or waits for its end`, () => {
      const isOneShot = service.healthcheck?.disable === true;
      const hasOwn = service.healthcheck !== undefined || service.build !== undefined;
      expect(hasOwn).to.equal(true);
      for (const { depends_on = {} } of Object.values(services)) {
        const condition = depends_on[name]?.condition;
        if (condition === undefined) continue;
        expect(condition).to.equal(
          isOneShot ? 'service_completed_successfully' : 'service_healthy',
        );
      }
    });

    it(`gives ${name} no password of its own`, () => {
      for (const [variable, value] of Object.entries(service.environment ?? {})) {
        if (variable.includes('PASSWORD')) expect(value).to.match(/^\$\{\w+:\?\}$/);
      }
    });
  }

  it('gives our programs settings that exist, and every one they require', () => {
    const tables = {
      query: querySettings,
      metadata: metadataSettings,
      migrate: commonSettings,
      seed: commonSettings,
    };
    for (const [name, table] of Object.entries(tables)) {
      const given = Object.keys(services[name]?.environment ?? {});
      const all = Object.values(table);
      expect(all.map((one) => one.name)).to.include.members(given);
      const required = all.filter(({ fallback }) => fallback === undefined);
      expect(given).to.include.members(required.map((one) => one.name));
    }
  });

  it('builds targets that the Dockerfile has', () => {
    for (const name of ours) {
      const build = services[name]?.build;
      expect(build?.dockerfile).to.equal('deploy/docker/Dockerfile');
      expect(dockerfile).to.match(new RegExp(`^FROM runtime AS ${build?.target ?? 'none'}$`, 'm'));
    }
  });
});

describe('the image', () => {
  it('runs as no root, on versions that are named, and says how it is', () => {
    expect(dockerfile).to.match(/^USER 65532:65532$/m);
    const bases = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, base]) => base);
    expect(new Set(bases)).to.have.all.keys('node:22-bookworm-slim', 'runtime');
    expect(dockerfile.match(/^HEALTHCHECK/gm)).to.have.length(2);
    expect(dockerfile).to.include('org.opencontainers.image.version');
  });

  it('has production dependencies and no engine inside', () => {
    expect(dockerfile).to.include('npm ci --omit=dev');
    const { dependencies } = JSON.parse(read('package.json')) as { dependencies: object };
    expect(Object.keys(dependencies).filter((name) => /embedded|chdb/.test(name))).to.deep.equal(
      [],
    );
    expect(dockerfile).not.to.match(/^COPY .*deploy\/local/m);
    const admitted = read('.dockerignore')
      .split('\n')
      .filter((line) => line.startsWith('!deploy'));
    expect(admitted).to.deep.equal(['!deploy/clickhouse', '!deploy/docker/tsconfig.json']);
  });
});
