import type { Metadata } from 'next';
import { RateForm } from '#app/components/rate/rate-form.tsx';
import { AuthCard } from '#app/components/ui/card.tsx';
import { CardHeader } from '#app/components/ui/service-logo.tsx';
import { getScreens } from '#app/data/session.ts';
import { firstParam, type Query } from '#app/lib/first-param.ts';
import { RATING_LINK_DAYS, type RatingPageView, SCORES } from '#server/screens/views.ts';

export const metadata: Metadata = { title: 'Rating' };

type Props = { params: Promise<{ token: string }>; searchParams: Query };

/** Target of the links in a rating email. A GET records no rating because mail programs prefetch links. */
export default async function RatePage({ params, searchParams }: Props) {
  const { token } = await params;
  const view = await (await getScreens()).ratings.get({ token });
  const requestedScore = Number(firstParam((await searchParams).score));
  return (
    <AuthCard>
      {view.kind === 'open' ? (
        <>
          <CardHeader title={`How did ${view.workspaceName} do?`}>
            {view.subject === null ? null : <p>Your conversation “{view.subject}”</p>}
          </CardHeader>
          <RateForm token={token} score={SCORES.find((score) => score === requestedScore) ?? null} />
        </>
      ) : (
        <NothingToRate view={view} />
      )}
    </AuthCard>
  );
}

function NothingToRate({ view }: { view: Exclude<RatingPageView, { kind: 'open' }> }) {
  switch (view.kind) {
    case 'unknown':
      return (
        <CardHeader title="This link does not work">
          It may be incomplete. Open it again from the message that you received.
        </CardHeader>
      );
    case 'ended':
      return (
        <CardHeader title="This link has expired">
          {`Rating links work for ${RATING_LINK_DAYS} days. If you still need help, write to ${view.workspaceName} again.`}
        </CardHeader>
      );
    case 'closed':
      return (
        <CardHeader title="Nothing to rate yet">
          {`${view.workspaceName} is still working on this.`}
        </CardHeader>
      );
  }
}
