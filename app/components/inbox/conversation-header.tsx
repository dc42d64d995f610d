import { AddressNotVerified } from '#app/components/conversations/address-not-verified.tsx';
import { ChannelIcon, channels } from '#app/components/conversations/channel-icon.tsx';
import { ConversationStatusDot } from '#app/components/conversations/conversation-status-dot.tsx';
import { AssignToMe, BackToList, StatusControl } from '#app/components/inbox/conversation-controls.tsx';
import { DetailsToggle } from '#app/components/inbox/details-pane.tsx';
import { DialogButtons } from '#app/components/inbox/dialog-buttons.tsx';
import { MarkUnread } from '#app/components/inbox/mark-unread.tsx';
import { SlaClock } from '#app/components/inbox/sla-clock.tsx';
import { SnoozeButton, SnoozedUntil } from '#app/components/inbox/snooze-button.tsx';
import { cx } from '#app/lib/cx.ts';
import { mostUrgent } from '#app/lib/format-clock.ts';
import type { ActionsView, ConversationView } from '#server/screens/inbox/views.ts';

type Props = { conversation: ConversationView; actions: ActionsView };

/** Subject, status and actions of the conversation, and a back link on screens with a single pane. */
export function ConversationHeader({ conversation, actions }: Props) {
  const { id, subject, status, assignee, mergedInto, removal, clocks } = conversation;
  const contactName = conversation.contactName ?? 'Unknown contact';
  const title = subject ?? contactName;
  const snoozedUntil = removal ? null : conversation.snoozedUntil;
  // There is room for only one of these.
  const clock = mergedInto || removal || snoozedUntil ? undefined : mostUrgent(clocks);
  const mayChange = !actions.problem && !mergedInto && !removal;
  return (
    <header className="conversation-header">
      <div className="flex min-w-0 items-center gap-2">
        <BackToList />
        <div className="@container grid min-w-0 grow">
          <div className="flex min-w-0 items-center gap-2">
            <h2 id="conversation-title" className="truncate" title={title}>
              <bdi>{title}</bdi>
            </h2>
            {conversation.contactClaimed ? (
              <span className="flex min-w-0 shrink-0 max-sm:shrink">
                <AddressNotVerified email={conversation.claim?.email} />
              </span>
            ) : null}
          </div>
          <p className="flex min-w-0 items-center gap-2 overflow-hidden text-ink-soft text-list max-md:text-xs">
            {mayChange && conversation.nextStatuses.length > 0 ? null : (
              <>
                <ConversationStatusDot status={status} />
                <span aria-hidden>·</span>
              </>
            )}
            {/* A narrow header has no room for this next to a time. */}
            <span className={cx('flex min-w-0 items-center', (snoozedUntil ?? clock) && '@max-sm:hidden')}>
              {subject ? (
                <>
                  <ChannelIcon channel={conversation.channel} />
                  <bdi className="truncate pl-1.5">{contactName}</bdi>
                </>
              ) : (
                <span className="truncate">{channels[conversation.channel].name}</span>
              )}
              {/* A long name of the contact must not hide the assignee. */}
              <span className="max-w-3/5 shrink-0 truncate whitespace-pre">
                {' · '}
                {assignee?.name ?? 'Unassigned'}
              </span>
            </span>
            {snoozedUntil ? <SnoozedUntil at={snoozedUntil} /> : null}
            {clock ? <SlaClock clock={clock} /> : null}
          </p>
        </div>
      </div>
      {mayChange ? (
        <div
          // Narrower icons, so that all fit beside the longest status on a phone of 390 px.
          className="flex items-center gap-1.5 max-xl:order-last max-xl:col-span-full max-lg:pl-3 max-md:gap-0.5 max-md:[&_.icon-button]:w-8"
        >
          {conversation.nextStatuses.length > 0 ? (
            <StatusControl
              id={id}
              status={status}
              nextStatuses={conversation.nextStatuses}
              afterSolving={actions.afterSolving}
            />
          ) : null}
          {conversation.nextStatuses.length > 0 ? (
            <SnoozeButton
              id={id}
              snoozedUntil={conversation.snoozedUntil}
              afterSolving={actions.afterSolving}
            />
          ) : null}
          <AssignToMe id={id} me={actions.me} assignee={assignee} />
          <DialogButtons
            id={id}
            title={title}
            isClaimed={conversation.contactClaimed}
            mayDelete={actions.mayDelete}
            afterSolving={actions.afterSolving}
          />
        </div>
      ) : null}
      <div className="flex items-center">
        <MarkUnread id={id} />
        <DetailsToggle />
      </div>
    </header>
  );
}
