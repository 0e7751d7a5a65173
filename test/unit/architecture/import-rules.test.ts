import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect } from 'chai';
import { repositoryRoot } from '../../../services/shared/repository-root.ts';

interface SourceFile {
  readonly path: string;
  readonly text: string;
  /** Repository paths of what it imports from this repository. */
  readonly imports: readonly string[];
}

const services = sourceFiles('services');
const within = (folder: string) => services.filter(({ path }) => path.startsWith(`${folder}/`));

describe('the shape of the code', () => {
  it('has files to check', () => {
    expect(services.length).to.be.greaterThan(20);
    expect(services.flatMap(({ imports }) => imports).length).to.be.greaterThan(20);
  });

  // What each folder of services may import, itself aside. The command line may import anything.
  const allowedImports: Readonly<Record<string, readonly string[]>> = {
    shared: [],
    catalog: [],
    registry: ['shared', 'catalog'],
    schema: ['shared', 'catalog'],
    query: ['shared', 'catalog', 'registry', 'schema'],
    metadata: ['shared', 'registry', 'schema'],
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

  it('keeps the product free of the local stack and of the tests', () => {
    const strangers = services.flatMap(({ path, imports }) =>
      imports
        .filter((imported) => imported.startsWith('deploy/') || imported.startsWith('test/'))
        .map((imported) => `${path} imports ${imported}`),
    );
    expect(strangers).to.deep.equal([]);
  });

  it('keeps the compiler pure: it knows the catalogue and the query model, and no package', () => {
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

  it('reads the environment in the config files only', () => {
    const readers = services
      .filter(({ text }) => /\bprocess\.env\b/.test(text))
      .map(({ path }) => path);
    expect(readers).to.have.members([
      'services/cli/config.ts',
      'services/metadata/config.ts',
      'services/query/config.ts',
    ]);
  });
});

function importsOutside(folder: string, allowed: readonly string[]): string[] {
  return within(folder).flatMap(({ path, imports }) =>
    imports
      .filter((imported) => !allowed.some((prefix) => imported.startsWith(prefix)))
      .map((imported) => `${path} imports ${imported}`),
  );
}

function sourceFiles(folder: string): SourceFile[] {
  return readdirSync(join(repositoryRoot, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => {
      const path = join(folder, name);
      const text = readFileSync(join(repositoryRoot, path), 'utf8');
      const imports = [...text.matchAll(/(?:from|import\() ?'(\.[^']+)'/g)].map(([, target]) =>
        normalize(join(dirname(path), target ?? '')),
      );
      return { path, text, imports };
    });
}
