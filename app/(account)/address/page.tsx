import type { Metadata } from 'next';
import { AddressLinkCard } from '#app/components/account/address-link-card.tsx';
import { buttonClass } from '#app/components/ui/button.tsx';
import { AuthCard } from '#app/components/ui/card.tsx';
import { CardHeader } from '#app/components/ui/service-logo.tsx';
import { getScreens } from '#app/data/session.ts';
import { firstParam, type Query } from '#app/lib/first-param.ts';

export const metadata: Metadata = { title: 'Email address' };

/** Target of the links in the emails about another address. Needs no sign-in. */
export default async function AddressPage({ searchParams }: { searchParams: Query }) {
  const token = firstParam((await searchParams).token) ?? '';
  const link = await (await getScreens()).account.addressLink({ token });
  return (
    <AuthCard>
      {link === null ? (
        <>
          <CardHeader title="This link is no longer valid">
            It was used, has expired or was replaced by a newer one. Settings, Account shows your address.
          </CardHeader>
          <a href="/settings/account" className={buttonClass('primary')}>
            Go to your account
          </a>
        </>
      ) : (
        <AddressLinkCard link={link} token={token} />
      )}
    </AuthCard>
  );
}
