import { randomUUID } from 'node:crypto';

/** @type {import('next').NextConfig} */
export default {
  reactStrictMode: true,
  poweredByHeader: false,
  devIndicators: false,
  // `npm test` checks types in its own stage.
  typescript: { ignoreBuildErrors: true },
  // The page stores data only for pages of the same build.
  compiler: { define: { BUILD_ID: randomUUID() } },
  experimental: { optimizePackageImports: ['radix-ui'] },
};
