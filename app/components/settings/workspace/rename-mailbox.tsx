'use client';

import { renameMailbox } from '#app/components/settings/workspace/actions.ts';
import { Button } from '#app/components/ui/button.tsx';
import { NameDialog } from '#app/components/ui/name-dialog.tsx';
import { toast } from '#app/components/ui/toast.ts';

type Props = { mailboxId: string; address: string; name: string };

/** The button that renames a mailbox, and the form it opens. */
export function RenameMailbox({ mailboxId, address, name }: Props) {
  return (
    <NameDialog
      trigger={<Button aria-label={`Rename ${address}`}>Rename</Button>}
      title="Rename mailbox"
      description={<span className="[overflow-wrap:anywhere]">{address}</span>}
      hint="Contacts see it as the sender."
      name={name}
      confirm="Save"
      save={renameMailbox.bind(null, mailboxId)}
      onSaved={() => toast.success('Mailbox renamed')}
    />
  );
}
