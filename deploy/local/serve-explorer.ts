import { join } from 'node:path';
import { createServer, type ViteDevServer } from 'vite';
import { repositoryRoot } from '../../services/shared/repository-root.ts';

/** Serves the explorer's sources with hot reload; every other path goes to the query service. */
export async function serveExplorer(port: number, queryUrl: string): Promise<ViteDevServer> {
  const server = await createServer({
    root: join(repositoryRoot, 'services/explorer'),
    server: {
      host: '127.0.0.1',
      port,
      strictPort: true,
      // secure: false, since a local stack with TLS has a self-signed certificate.
      proxy: {
        '^/(?!explorer/)|^/explorer/(config|map).json$': { target: queryUrl, secure: false },
      },
    },
  });
  return server.listen();
}
