import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect } from 'chai';
import { repositoryRoot } from '../../../services/shared/repository-root.ts';

describe('the documents', () => {
  const inDocs = readdirSync(join(repositoryRoot, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => `docs/${path}`);
  const documents = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md', ...inDocs];

  for (const document of documents) {
    it(`${document} links only to files and headings that exist`, () => {
      for (const { file, heading } of linksOf(document)) {
        expect(existsSync(join(repositoryRoot, file)), file).to.equal(true);
        if (heading !== undefined) expect(headingsOf(file), file).to.include(heading);
      }
    });
  }

  it('have no merge conflict markers', () => {
    for (const document of documents) {
      expect(text(document), document).not.to.match(/^(<{7} |>{7} |(> ){7})/m);
    }
  });

  it('are all linked from the README, decision records from their index', () => {
    const linked = [...linksOf('README.md'), ...linksOf('docs/decisions/README.md')];
    expect(linked.map(({ file }) => file)).to.include.members(inDocs);
  });
});

interface Link {
  /** Relative to the root of the repository. */
  readonly file: string;
  readonly heading: string | undefined;
}

function linksOf(document: string): Link[] {
  const targets = [...text(document).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
  return targets
    .filter((target) => !/^https?:/.test(target))
    .map((target) => {
      const [path = '', heading] = target.split('#');
      const absolute = join(repositoryRoot, dirname(document), path);
      return { file: path === '' ? document : relative(repositoryRoot, absolute), heading };
    });
}

/** The anchors that GitHub generates: `## Backup and restore` becomes `backup-and-restore`. */
function headingsOf(file: string): string[] {
  return [...text(file).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

function text(file: string): string {
  return readFileSync(join(repositoryRoot, file), 'utf8');
}
