import type { Metadata } from 'next';
import { AuthCard, CardHeader } from '#app/components/ui/card.tsx';
import { VerifyForm } from '#app/components/verify/verify-form.tsx';
import { getScreens } from '#app/data/session.ts';
import { firstParam, type Query } from '#app/lib/first-param.ts';

export const metadata: Metadata = { title: 'Confirm your address', referrer: 'no-referrer' };

type Props = { searchParams: Query };

/** Target of a verification link. A GET confirms nothing because mail scanners open links. */
export default async function VerifyPage({ searchParams }: Props) {
  const token = firstParam((await searchParams).token) ?? '';
  const found = await (await getScreens()).claims.getVerification({ token });
  return (
    <AuthCard>
      {found ? (
        <VerifyForm token={token} {...found} />
      ) : (
        <CardHeader title="This link does not work">
          It has expired, was used before or is incomplete.
        </CardHeader>
      )}
    </AuthCard>
  );
}
