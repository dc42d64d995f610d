import type { Metadata } from 'next';
import { AddressLinkCard } from '#app/components/account/address-link-card.tsx';
import { AuthCard } from '#app/components/ui/card.tsx';
import { getScreens } from '#app/data/session.ts';
import { firstParam, type Query } from '#app/lib/first-param.ts';

export const metadata: Metadata = { title: 'Email address' };

/** Target of the links in the emails about another address. Needs no sign-in. */
export default async function AddressPage({ searchParams }: { searchParams: Query }) {
  const token = firstParam((await searchParams).token) ?? '';
  const link = await (await getScreens()).account.addressLink({ token });
  return (
    <AuthCard>
      <AddressLinkCard link={link} token={token} />
    </AuthCard>
  );
}
