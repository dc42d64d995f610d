import { cookies } from 'next/headers';
import type { ReactNode } from 'react';
import { Shell } from '#app/components/shell/shell.tsx';
import { currentSession } from '#app/data/session.ts';
import { readTheme, THEME_COOKIE } from '#app/lib/themes.ts';

/** The frame for those who are signed in. Others get the bare page, which sends them to sign in. */
export default async function ShellLayout({ children }: { children: ReactNode }) {
  const session = await currentSession();
  const workspace = session?.workspace;
  if (!workspace) return children;
  const theme = readTheme((await cookies()).get(THEME_COOKIE)?.value);
  return (
    <Shell session={{ ...session, workspace }} theme={theme}>
      {children}
    </Shell>
  );
}
