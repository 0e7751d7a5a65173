import { join } from 'node:path';
import type { Router } from 'express';
import swaggerUiFolder from 'swagger-ui-dist/absolute-path.js';
import { repositoryRoot } from '../repository-root.ts';
import { staticFiles } from './static-files.ts';

/** `GET /docs`: Swagger UI for `/openapi.yaml`. Works offline: it loads nothing from other hosts. */
export function docsPage(): Router {
  const own = (name: string) => join(repositoryRoot, 'openapi/docs', name);
  const swagger = (name: string) => join(swaggerUiFolder(), name);
  return staticFiles({
    files: {
      '/docs': own('index.html'),
      '/docs/page.js': own('page.js'),
      '/docs/page.css': own('page.css'),
      '/docs/icon.svg': own('icon.svg'),
      '/docs/swagger-ui-bundle.js': swagger('swagger-ui-bundle.js'),
      '/docs/swagger-ui.css': swagger('swagger-ui.css'),
    },
    contentSecurityPolicy,
  });
}

// The page holds the user's token: it runs only our scripts and connects only to this service.
// Swagger UI uses data: URLs for its icons.
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');
