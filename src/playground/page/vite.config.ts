import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** Everything the page needs is in `dist`: no request leaves the machine. */
export default defineConfig({
  root: import.meta.dirname,
  base: './',
  plugins: [react()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1500,
    reportCompressedSize: false,
  },
});
