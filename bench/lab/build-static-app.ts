import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { runToolOrFail } from '#scripts/tools/run-tool.ts';
import { dataDirOf } from '#server/core/project.ts';

/** Text that every page of the static app contains. */
export const STATIC_MARK = 'A line of a static page.';

/** A Next app whose pages load no data. Each request renders as many lines as its path says. */
const FILES = {
  'package.json': '{ "private": true, "type": "module" }\n',
  'next.config.mjs': 'export default { poweredByHeader: false, typescript: { ignoreBuildErrors: true } };\n',
  'app/layout.js': `export const dynamic = 'force-dynamic';
export default function Layout({ children }) {
  return <html lang="en"><body>{children}</body></html>;
}
`,
  'app/[lines]/page.js': `export default async function Page({ params }) {
  const { lines } = await params;
  return (
    <main>
      {Array.from({ length: Number(lines) }, (_, n) => (
        <p key={n}>${STATIC_MARK} {n}</p>
      ))}
    </main>
  );
}
`,
};

/**
 * Builds the static app in a separate folder with the project's Next.
 * @returns the folder
 */
export async function buildStaticApp(): Promise<string> {
  const dir = join(dataDirOf(process.env), 'bench-static-app');
  for (const [name, text] of Object.entries(FILES)) {
    const path = join(dir, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
  await runToolOrFail(
    'node_modules/next/dist/bin/next',
    ['build', dir],
    'The static pages could not be built.',
    {
      env: { NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' },
    },
  );
  return dir;
}
