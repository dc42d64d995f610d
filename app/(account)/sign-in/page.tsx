import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { SignInForm } from '#app/(account)/sign-in/sign-in-form.tsx';
import { SignInNotice } from '#app/(account)/sign-in/sign-in-notice.tsx';
import { ServiceLogo } from '#app/components/logos/service-logo.tsx';
import { AuthCard } from '#app/components/ui/layout/auth-card.tsx';
import { currentSession } from '#app/data/current-session.ts';
import type { Query } from '#app/lib/paths/first-param.ts';
import { firstParam } from '#app/lib/paths/first-param.ts';
import { localPath } from '#app/lib/paths/local-path.ts';
import { pageContext } from '#server/screens/page-context.ts';

export const metadata: Metadata = { title: 'Sign in' };

export default async function SignInPage({ searchParams }: { searchParams: Query }) {
  const query = await searchParams;
  const next = localPath(firstParam(query.next));
  if (await currentSession()) redirect(next);
  const { serviceName, platformName } = pageContext();
  return (
    <AuthCard>
      <div className="grid justify-items-center gap-4 text-center">
        <ServiceLogo size="large" />
        <div className="grid gap-1">
          <h1 className="text-xl">Sign in to {serviceName}</h1>
          {next.startsWith('/oauth/authorize') ? (
            <p className="text-ink-soft">to connect {platformName}</p>
          ) : null}
        </div>
      </div>
      <SignInNotice after={firstParam(query.after)} />
      <SignInForm next={next} />
    </AuthCard>
  );
}
