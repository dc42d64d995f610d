import '#app/globals.css';
import type { Metadata } from 'next';
import { cookies } from 'next/headers';
import type { ReactNode } from 'react';
import { parseTheme, THEME_COOKIE } from '#app/lib/themes.ts';
import { pageContext } from '#server/screens/page-context.ts';

/** No static rendering: every page depends on the request and contains its CSP nonce. */
export const dynamic = 'force-dynamic';

export function generateMetadata(): Metadata {
  const { serviceName } = pageContext();
  return {
    title: { default: serviceName, template: `%s · ${serviceName}` },
    robots: { index: false, follow: false },
  };
}

export default async function RootLayout({ children }: { children: ReactNode }) {
  const theme = parseTheme((await cookies()).get(THEME_COOKIE)?.value);
  return (
    <html lang="en" data-theme={theme}>
      <body>{children}</body>
    </html>
  );
}
