import Link from 'next/link';
import { DeleteForm } from '#app/components/settings/account/delete-form.tsx';
import { pluralize } from '#app/lib/pluralize.ts';
import type { AccountView } from '#server/screens/settings/views.ts';

type Props = { account: AccountView; platformName: string };

const list = new Intl.ListFormat('en-GB');

/** The end of an account: what ends with it, or what has to be done before. */
export function DeleteAccount({ account, platformName }: Props) {
  const { lastOwnerOf } = account;
  if (lastOwnerOf.length > 0) {
    return (
      <div className="grid max-w-[65ch] gap-2 text-ink-soft">
        <p>You are the only owner of {list.format(lastOwnerOf)}, so your account cannot be deleted now.</p>
        <p>
          Open {lastOwnerOf.length === 1 ? 'that workspace' : 'each of these workspaces'} and make someone
          else an owner in{' '}
          <Link href="/settings/teammates" className="font-medium text-accent-ink hover:underline">
            Teammates
          </Link>
          , or delete the workspace. Then come back here.
        </p>
      </div>
    );
  }
  return <DeleteForm email={account.email} effects={effectsOf(account, platformName)} />;
}

/** What ends with the account, in sentences. */
function effectsOf(account: AccountView, platformName: string): string[] {
  const { workspaces, connections, liveWorkflows } = account;
  return [
    workspaces.length > 0 ? `You leave ${list.format(workspaces.map(({ name }) => name))}.` : '',
    connections > 0
      ? `${pluralize(connections, 'connection')} to ${platformName} ${connections === 1 ? 'ends' : 'end'} at once${
          liveWorkflows > 0
            ? `, and with ${connections === 1 ? 'it' : 'them'} ${pluralize(liveWorkflows, 'live workflow')}`
            : ''
        }.`
      : '',
    workspaces.length > 0 ? 'Conversations assigned to you become unassigned.' : '',
    'Your messages and notes stay, under your name. Your email address can be used for a new account.',
  ].filter(Boolean);
}
