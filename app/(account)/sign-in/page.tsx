import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { SignInForm } from '#app/components/account/sign-in-form.tsx';
import { SignInNotice } from '#app/components/account/sign-in-notice.tsx';
import { SignInSteps } from '#app/components/account/sign-in-steps.tsx';
import { DropThreads } from '#app/components/shell/drop-threads.tsx';
import { AuthCard } from '#app/components/ui/card.tsx';
import { ServiceLogo } from '#app/components/ui/service-logo.tsx';
import { currentSession, getScreens } from '#app/data/session.ts';
import { firstParam, type Query } from '#app/lib/first-param.ts';
import { localPath } from '#app/lib/local-path.ts';
import { pageContext } from '#server/screens/page-context.ts';

export const metadata: Metadata = { title: 'Sign in' };

export default async function SignInPage({ searchParams }: { searchParams: Query }) {
  const query = await searchParams;
  const next = localPath(firstParam(query.next));
  if (await currentSession()) redirect(next);
  const secondStep = await (await getScreens()).session.secondStep();
  const { serviceName, platformName } = pageContext();
  return (
    <AuthCard>
      <DropThreads />
      <SignInSteps step={secondStep} next={next}>
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
      </SignInSteps>
    </AuthCard>
  );
}
