import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { buttonClass } from '#app/components/ui/button.tsx';
import { AuthCard } from '#app/components/ui/card.tsx';
import { CardHeader } from '#app/components/ui/service-logo.tsx';
import { currentSession, getScreens } from '#app/data/session.ts';
import { firstParam, type Query } from '#app/lib/first-param.ts';
import { localPath } from '#app/lib/local-path.ts';

export const metadata: Metadata = { title: 'Not signed in' };

/** Explains why single sign-on failed, with the way out. */
export default async function SignInProblemPage({ searchParams }: { searchParams: Query }) {
  const query = await searchParams;
  const next = localPath(firstParam(query.next));
  const reason = firstParam(query.reason) ?? '';
  const workspaceId = firstParam(query.workspace) ?? '';
  const { session } = await getScreens();
  const [problem, isSignedIn] = [
    await session.signOnProblem({ reason, workspaceId }),
    (await currentSession()) !== null,
  ];
  if (!problem) redirect('/sign-in');
  const { sentence, retryPath } = problem;
  return (
    <AuthCard>
      <CardHeader title="Single sign-on failed">{sentence}</CardHeader>
      <div className="grid gap-2">
        {retryPath ? (
          <a href={`${retryPath}?next=${encodeURIComponent(next)}`} className={buttonClass('primary')}>
            Try again
          </a>
        ) : null}
        <a
          href={isSignedIn ? '/inbox' : `/sign-in?next=${encodeURIComponent(next)}`}
          className={buttonClass(retryPath ? 'secondary' : 'primary')}
        >
          {isSignedIn ? 'Go to the inbox' : 'Sign in another way'}
        </a>
      </div>
    </AuthCard>
  );
}
