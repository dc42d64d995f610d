/** What is settled when the app is built: `npm run build` writes it (`scripts/write-build.mjs`). */
export const BUILD: { version: string; serviceUrl: string | null } = { version: '0.0.0', serviceUrl: null };
