import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect } from 'chai';
import { repositoryRoot } from '../../../services/shared/repository-root.ts';

interface SourceFile {
  readonly path: string;
  readonly text: string;
  /** Repository paths of its imports. */
  readonly imports: readonly string[];
}

const services = sourceFiles('services');
const within = (folder: string) => services.filter(({ path }) => path.startsWith(`${folder}/`));

describe('the structure of the code', () => {
  it('has files to check', () => {
    expect(services.length).to.be.greaterThan(20);
    expect(services.flatMap(({ imports }) => imports).length).to.be.greaterThan(20);
  });

  // The allowed imports of each folder of services. The command line may import anything.
  const allowedImports: Readonly<Record<string, readonly string[]>> = {
    shared: [],
    catalog: [],
    registry: ['shared', 'catalog'],
    schema: ['shared', 'catalog'],
    query: ['shared', 'catalog', 'registry', 'schema'],
    metadata: ['shared', 'registry', 'schema'],
    results: ['shared', 'catalog', 'registry', 'schema'],
    ingest: ['shared', 'catalog', 'registry', 'schema', 'results'],
    load: ['shared', 'catalog', 'registry', 'schema', 'results'],
    explorer: ['catalog'],
  };
  for (const [folder, allowed] of Object.entries(allowedImports)) {
    it(`services/${folder} imports ${['itself', ...allowed].join(', ')} only`, () => {
      const prefixes = [folder, ...allowed].map((name) => `services/${name}/`);
      const generatedClient = folder === 'explorer' ? ['openapi/client/'] : [];
      expect(importsOutside(`services/${folder}`, [...prefixes, ...generatedClient])).to.deep.equal(
        [],
      );
    });
  }

  it('does not import the local stack or the tests into services', () => {
    const violations = services.flatMap(({ path, imports }) =>
      imports
        .filter((imported) => imported.startsWith('deploy/') || imported.startsWith('test/'))
        .map((imported) => `${path} imports ${imported}`),
    );
    expect(violations).to.deep.equal([]);
  });

  it('lets no service request an address: a client could name a private one', () => {
    // ClickHouse, Postgres, the object store and traces have clients of their own, with addresses from settings.
    const requesting =
      /(?<![.#\w])fetch\(|\b(?:http|https)\.(?:get|request)\(|import\s.*\b(?:get|request)\b.*'node:https?'/;
    const isOfService = ({ path }: SourceFile) =>
      !path.startsWith('services/cli/') && !path.startsWith('services/explorer/');
    const violations = services.filter(isOfService).filter(({ text }) => requesting.test(text));
    expect(violations.map(({ path }) => path)).to.deep.equal([]);
  });

  it('keeps the compiler pure: it imports only the catalogue and the query model, and no package', () => {
    const allowed = [
      'services/query/compiler/',
      'services/catalog/',
      'services/query/request/',
      'services/shared/sql/',
    ];
    expect(importsOutside('services/query/compiler', allowed)).to.deep.equal([]);
    const packages = within('services/query/compiler').flatMap(({ path, text }) =>
      [...text.matchAll(/from '([^.'][^']*)'/g)].map(([, name]) => `${path} imports ${name}`),
    );
    expect(packages).to.deep.equal([]);
  });

  // knip finds only cycles that remain at run time; this test also finds cycles of type imports.
  it('has no import cycles', () => {
    const files = [...services, ...sourceFiles('deploy'), ...sourceFiles('bench')];
    expect(cyclesOf(new Map(files.map(({ path, imports }) => [path, imports])))).to.deep.equal([]);
  });

  for (const folder of Object.keys(allowedImports).filter((name) => name !== 'explorer')) {
    it(`the folders of services/${folder} do not import each other in circles`, () => {
      const roomOf = (path: string) => path.split('/').slice(0, 3).join('/');
      const rooms = new Map<string, string[]>();
      for (const { path, imports } of within(`services/${folder}`)) {
        const others = imports.map(roomOf).filter((room) => room !== roomOf(path));
        rooms.set(roomOf(path), [...(rooms.get(roomOf(path)) ?? []), ...others]);
      }
      expect(cyclesOf(rooms)).to.deep.equal([]);
    });
  }

  for (const [name, file] of Object.entries({
    'moment-timezone': 'services/shared/timezones.ts',
    'prom-client': 'services/shared/metrics.ts',
  })) {
    it(`imports ${name} in one file`, () => {
      const importers = services.filter(({ text }) => text.includes(`from '${name}'`));
      expect(importers.map(({ path }) => path)).to.deep.equal([file]);
    });
  }

  it('leaves prom-client to that file in tests too, so that its successor changes one file', () => {
    const name = 'prom-client';
    const importers = sourceFiles('test').filter(({ text }) => text.includes(`from '${name}'`));
    expect(importers.map(({ path }) => path)).to.deep.equal([]);
  });

  it('reads the environment only in the config files', () => {
    const readers = services
      .filter(({ text }) => /\bprocess\.env\b/.test(text))
      .map(({ path }) => path);
    expect(readers).to.have.members([
      'services/cli/config.ts',
      'services/ingest/config.ts',
      'services/metadata/config.ts',
      'services/query/config.ts',
    ]);
  });
});

function cyclesOf(importsOf: ReadonlyMap<string, readonly string[]>): string[] {
  const finished = new Set<string>();
  const cycles: string[] = [];
  const visit = (path: string, importers: readonly string[]) => {
    const start = importers.indexOf(path);
    if (start >= 0) cycles.push([...importers.slice(start), path].join(' → '));
    if (start >= 0 || finished.has(path)) return;
    importsOf.get(path)?.forEach((imported) => visit(imported, [...importers, path]));
    finished.add(path);
  };
  for (const path of importsOf.keys()) visit(path, []);
  return cycles;
}

function importsOutside(folder: string, allowed: readonly string[]): string[] {
  return within(folder).flatMap(({ path, imports }) =>
    imports
      .filter((imported) => !allowed.some((prefix) => imported.startsWith(prefix)))
      .map((imported) => `${path} imports ${imported}`),
  );
}

function sourceFiles(folder: string): SourceFile[] {
  return readdirSync(join(repositoryRoot, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.includes('node_modules'))
    .map((name) => {
      const path = join(folder, name);
      const text = readFileSync(join(repositoryRoot, path), 'utf8');
      const imports = [...text.matchAll(/(?:from|import\() ?'(\.[^']+)'/g)].map(([, target]) =>
        normalize(join(dirname(path), target ?? '')),
      );
      return { path, text, imports };
    });
}
