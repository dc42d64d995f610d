/** @type {import('next').NextConfig} */
export default {
  reactStrictMode: true,
  poweredByHeader: false,
  devIndicators: false,
  // The type check is a step of its own in `npm test`; a build for `npm start` need not repeat it.
  typescript: { ignoreBuildErrors: true },
  // Loaded by Node as they are, so that the server's copy and the one of the screens are the same module.
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
