/** Placeholder. `npm run build` replaces the compiled file with the build's values (`scripts/write-build.mjs`). */
export const BUILD: { version: string; serviceUrl: string | null } = { version: '0.0.0', serviceUrl: null };
