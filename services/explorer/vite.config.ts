import { defineConfig } from 'vite';

/** The query service serves what this writes: `services/query/routes/explorer-page.ts`. */
export default defineConfig({
  base: '/explorer/',
  logLevel: 'warn',
  build: {
    outDir: '../../dist/explorer',
    emptyOutDir: true,
    target: 'es2022',
    // The policy of the page allows no data: address.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
