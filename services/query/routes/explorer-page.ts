import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Router } from 'express';
import { pagePolicy, staticFiles } from '../../shared/http/static-files.ts';
import type { Logger } from '../../shared/logging/create-logger.ts';
import { repositoryRoot } from '../../shared/repository-root.ts';
import type { QueryConfig } from '../config.ts';

interface ExplorerParts {
  readonly config: Pick<QueryConfig, 'explorerMetadataUrl'>;
  readonly logger: Logger;
}

/** `GET /explorer`: the web UI that `make build` builds from services/explorer. Needs no token. */
export function explorerPage({ config, logger }: ExplorerParts): Router {
  const { explorerMetadataUrl: metadataUrl } = config;
  const routes = Router();
  if (!existsSync(join(builtPage, 'index.html'))) {
    logger.warn('explorer not built: run make build', { folder: builtPage });
    return routes;
  }
  const services = metadataUrl === '' ? "'self'" : `'self' ${new URL(metadataUrl).origin}`;
  const contentSecurityPolicy = pagePolicy("'self'", services);
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
