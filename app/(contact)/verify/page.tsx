import type { Metadata } from 'next';
import { AuthCard } from '#app/components/ui/card.tsx';
import { VerifyForm } from '#app/components/verify/verify-form.tsx';
import { getScreens } from '#app/data/session.ts';
import { firstParam, type Query } from '#app/lib/first-param.ts';

export const metadata: Metadata = { title: 'Confirm your address' };

type Props = { searchParams: Query };

/** Target of a verification link. A GET confirms nothing because mail scanners open links. */
export default async function VerifyPage({ searchParams }: Props) {
  const token = firstParam((await searchParams).token) ?? '';
  const found = await (await getScreens()).claims.getVerification({ token });
  return (
    <AuthCard>
      <VerifyForm token={token} found={found} />
    </AuthCard>
  );
}
