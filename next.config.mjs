/** @type {import('next').NextConfig} */
export default {
  reactStrictMode: true,
  poweredByHeader: false,
  devIndicators: false,
  // `npm test` checks types in its own stage.
  typescript: { ignoreBuildErrors: true },
  // Node loads these directly, so that the server and the screens share one copy of each module.
  serverExternalPackages: [
    '@prisma/client',
    '@prisma/adapter-pg',
    'better-auth',
    'graphile-worker',
    'nodemailer',
    'pg',
    'pino',
    'prom-client',
    'trpc-openapi',
    'undici',
  ],
  experimental: { optimizePackageImports: ['radix-ui'] },
};
