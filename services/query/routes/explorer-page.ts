import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Router } from 'express';
import { staticFiles } from '../../shared/http/static-files.ts';
import type { Logger } from '../../shared/logging/create-logger.ts';
import { repositoryRoot } from '../../shared/repository-root.ts';

interface ExplorerParts {
  /** Public URL of the metadata service; empty: the page has no agents tab. */
  readonly metadataUrl: string;
  readonly logger: Logger;
}

/** `GET /explorer`: the web UI that `make build` builds from services/explorer. Needs no token. */
export function explorerPage({ metadataUrl, logger }: ExplorerParts): Router {
  const routes = Router();
  if (!existsSync(join(builtPage, 'index.html'))) {
    logger.warn('explorer not built: run make build', { folder: builtPage });
    return routes;
  }
  const contentSecurityPolicy = policy(metadataUrl);
  routes.get('/explorer/config.json', (_req, res) => {
    res.json({ metadataUrl });
  });
  routes.use(
    staticFiles({
      files: {
        '/explorer': join(builtPage, 'index.html'),
        '/explorer/icon.svg': join(builtPage, 'icon.svg'),
      },
      contentSecurityPolicy,
    }),
    // Asset names contain a hash of the content.
    staticFiles({
      files: builtAssets(),
      contentSecurityPolicy,
      cacheControl: 'public, max-age=31536000, immutable',
    }),
  );
  return routes;
}

const builtPage = join(repositoryRoot, 'dist/explorer');

function builtAssets(): Record<string, string> {
  const folder = join(builtPage, 'assets');
  const names = readdirSync(folder);
  return Object.fromEntries(names.map((name) => [`/explorer/assets/${name}`, join(folder, name)]));
}

// The page holds the user's tokens: it runs only our scripts and connects only to the two services.
function policy(metadataUrl: string): string {
  const services = metadataUrl === '' ? "'self'" : `'self' ${new URL(metadataUrl).origin}`;
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    `connect-src ${services}`,
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
