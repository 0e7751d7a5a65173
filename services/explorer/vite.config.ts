import { defineConfig } from 'vite';

/** The query service serves the output: `services/query/routes/explorer-page.ts`. */
export default defineConfig({
  base: '/explorer/',
  logLevel: 'warn',
  build: {
    outDir: '../../dist/explorer',
    emptyOutDir: true,
    target: 'es2022',
    // The Content-Security-Policy of the page does not allow data: URLs.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
