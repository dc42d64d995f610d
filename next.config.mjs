/** @type {import('next').NextConfig} */
export default {
  reactStrictMode: true,
  poweredByHeader: false,
  devIndicators: false,
  // `npm test` checks types in its own stage.
  typescript: { ignoreBuildErrors: true },
  experimental: { optimizePackageImports: ['radix-ui'] },
};
