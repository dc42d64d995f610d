import { cookies } from 'next/headers';
import type { ReactNode } from 'react';
import { Shortcuts } from '#app/components/command-menu/shortcuts.tsx';
import { Shell } from '#app/components/shell/shell.tsx';
import { currentSession } from '#app/data/session.ts';
import { parseTheme, THEME_COOKIE } from '#app/lib/themes.ts';

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
