import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { ServiceMark } from '#app/components/marks/service-mark.tsx';
import { CentredCard } from '#app/components/ui/centred-card.tsx';
import { currentSession } from '#app/data/current-session.ts';
import type { Query } from '#app/lib/first-value.ts';
import { firstValue } from '#app/lib/first-value.ts';
import { localPath } from '#app/lib/local-path.ts';
import { SignInForm } from '#app/sign-in/sign-in-form.tsx';
import { SignInNotice } from '#app/sign-in/sign-in-notice.tsx';
import { pageContext } from '#server/page-context.ts';

export const metadata: Metadata = { title: 'Sign in' };

export default async function SignInPage({ searchParams }: { searchParams: Query }) {
  const query = await searchParams;
  const next = localPath(firstValue(query.next));
  if (await currentSession()) redirect(next);
  const { serviceName, platformName } = pageContext();
  return (
    <CentredCard>
      <div className="grid justify-items-center gap-4 text-center">
        <ServiceMark size="large" />
        <div className="grid gap-1">
          <h1 className="text-xl">Sign in to {serviceName}</h1>
          {next.startsWith('/oauth/authorize') ? (
            <p className="text-ink-soft">to connect {platformName}</p>
          ) : null}
        </div>
      </div>
      <SignInNotice after={firstValue(query.after)} />
      <SignInForm next={next} />
    </CentredCard>
  );
}
