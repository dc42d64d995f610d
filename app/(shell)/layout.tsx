import type { Metadata, Viewport } from 'next';
import { cookies } from 'next/headers';
import type { ReactNode } from 'react';
import { Shortcuts } from '#app/components/command-menu/shortcuts.tsx';
import { Shell } from '#app/components/shell/shell.tsx';
import { currentSession } from '#app/data/session.ts';
import { CANVAS, parseTheme, THEME_COOKIE } from '#app/lib/themes.ts';
import { pageContext } from '#server/screens/page-context.ts';

/** Only teammates install the app: the web chat and the pages of contacts name no manifest. */
export function generateMetadata(): Metadata {
  return {
    manifest: '/manifest.webmanifest',
    appleWebApp: { capable: true, title: pageContext().serviceName },
    // These replace the icon of the root layout, so it is named again.
    icons: {
      icon: { url: '/icon.svg', type: 'image/svg+xml', sizes: 'any' },
      apple: '/app-icons/apple-touch-icon.png',
    },
  };
}

export async function generateViewport(): Promise<Viewport> {
  const theme = parseTheme((await cookies()).get(THEME_COOKIE)?.value);
  const themeColor =
    theme === 'system'
      ? (['light', 'dark'] as const).map((scheme) => ({
          media: `(prefers-color-scheme: ${scheme})`,
          color: CANVAS[scheme],
        }))
      : CANVAS[theme];
  return { themeColor };
}

/** Renders the shell for signed-in users. Other visitors get the bare page, which redirects to sign-in. */
export default async function ShellLayout({ children }: { children: ReactNode }) {
  const session = await currentSession();
  const workspace = session?.workspace;
  if (!workspace) return children;
  const theme = parseTheme((await cookies()).get(THEME_COOKIE)?.value);
  return (
    <Shell
      session={{ ...session, workspace }}
      theme={theme}
      shortcuts={<Shortcuts user={{ role: workspace.role, isTest: workspace.isTest }} />}
    >
      {children}
    </Shell>
  );
}
