import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { SignOutButton } from '#app/components/shell/sign-out-button.tsx';
import { buttonClass } from '#app/components/ui/button.tsx';
import { AuthCard } from '#app/components/ui/card.tsx';
import { CardHeader } from '#app/components/ui/service-logo.tsx';
import { getScreens } from '#app/data/session.ts';
import { firstParam, type Query } from '#app/lib/first-param.ts';
import { localPath } from '#app/lib/local-path.ts';

export const metadata: Metadata = { title: 'Not signed in' };

const TITLES = new Map([
  ['linked', 'Sign in with single sign-on?'],
  ['other_session', 'You are signed in as someone else'],
]);

/** Explains why single sign-on failed or does not start, with the way out. */
export default async function SignInProblemPage({ searchParams }: { searchParams: Query }) {
  const query = await searchParams;
  const next = localPath(firstParam(query.next));
  const reason = firstParam(query.reason) ?? '';
  const workspaceId = firstParam(query.workspace) ?? '';
  const { session } = await getScreens();
  const problem = await session.signOnProblem({ reason, workspaceId });
  if (!problem) redirect('/sign-in');
  const { sentence, retryPath, sessionOf } = problem;
  const retry = retryPath && `${retryPath}?next=${encodeURIComponent(next)}`;
  const isOther = problem.reason === 'other_session' && sessionOf !== null;
  return (
    <AuthCard>
      <CardHeader title={TITLES.get(problem.reason) ?? 'Single sign-on failed'}>
        <p>{sentence}</p>
        {isOther ? <p>Here you are {sessionOf}.</p> : null}
      </CardHeader>
      <div className="grid gap-2">
        {retry && !isOther ? (
          <a href={retry} className={buttonClass('primary')}>
            {problem.reason === 'linked' ? 'Continue' : 'Try again'}
          </a>
        ) : null}
        <a
          href={sessionOf === null ? `/sign-in?next=${encodeURIComponent(next)}` : '/inbox'}
          className={buttonClass(retry && !isOther ? 'secondary' : 'primary')}
        >
          {sessionOf === null ? 'Sign in another way' : 'Go to the inbox'}
        </a>
        {retry && isOther ? <SignOutButton goTo={retry} label="Sign out and continue" /> : null}
      </div>
    </AuthCard>
  );
}
