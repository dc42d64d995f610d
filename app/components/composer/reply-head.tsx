import { CopiesButton } from '#app/components/composer/copies-button.tsx';
import type { Answered } from '#app/components/composer/use-answered.ts';
import type { EnclosuresDraft } from '#app/components/composer/use-enclosures.ts';
import { channels } from '#app/components/conversations/channel-icon.tsx';
import { allAddresses } from '#app/components/drafts/copies.ts';
import { lazyParts } from '#app/components/ui/lazy-part.tsx';
import type { ComposerView } from '#server/screens/inbox/composer-views.ts';

const rareParts = lazyParts(() => import('#app/components/composer/rare-parts.ts'));
const AnsweredChoice = rareParts('AnsweredChoice');
const CopyFields = rareParts('CopyFields');
const ReplyToChoice = rareParts('ReplyToChoice');
const FromSelect = rareParts('FromSelect');
const ReplyNotice = rareParts('ReplyNotice');

type Props = { view: ComposerView; enclosures: EnclosuresDraft; answered: Answered };

/** Shows the channel, recipient and author of a reply, and any warning about its delivery. */
export function ReplyHead({ view, enclosures, answered }: Props) {
  const { name, icon: Icon } = channels[view.channel];
  const { otherAuthor: other } = view;
  const isCopied =
    other !== null && other.address !== null && allAddresses(enclosures.copies.cc).includes(other.address);
  return (
    <div className="grid gap-1 px-3 pt-2">
      <p className="flex min-w-0 items-center gap-1.5 text-ink-soft text-xs">
        <Icon aria-hidden size={14} strokeWidth={1.75} className="shrink-0" />
        <span className="truncate">
          {name} to <bdi>{answered.address ?? view.contactName ?? 'the contact'}</bdi>, as {view.you.name}
        </span>
        {view.channel === 'email' ? <CopiesButton enclosures={enclosures} /> : null}
      </p>
      {view.replyTo.asked.length > 0 && answered.address === null ? <ReplyToChoice view={view} /> : null}
      {view.mailboxes.length > 1 ? <FromSelect view={view} /> : null}
      {view.channel === 'email' && enclosures.copies.shown !== 'none' ? (
        <CopyFields enclosures={enclosures} />
      ) : null}
      {other || answered.address !== null ? (
        <AnsweredChoice view={view} answered={answered} isCopied={isCopied} />
      ) : null}
      {view.replyWarning || view.isClosed ? <ReplyNotice view={view} /> : null}
    </div>
  );
}
