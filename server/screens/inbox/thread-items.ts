import type { FormattedText } from '#server/contract/formatted-text.ts';
import { storedFormatted } from '#server/contract/parse-formatted.ts';
import { shownEmail } from '#server/core/email-domain.ts';
import { settings } from '#server/core/env.ts';
import type { ActorKind, MessageDirection, SendStatus } from '#server/generated/prisma/enums.ts';
import {
  describeContent,
  quoteOf,
  reasonOfFlow,
  type TimelineContent,
  timelineContent,
} from '#server/inbox/conversations/timeline.ts';
import { describeInvitation } from '#server/inbox/mail-parser/describe-invitation.ts';
import { type RunRow, runView } from '#server/screens/inbox/command-runs.ts';
import { describeAutomaticAssignment } from '#server/screens/inbox/describe-automatic-assignment.ts';
import { noteFiles, type ThreadFile, withoutPictures } from '#server/screens/inbox/thread-files.ts';
import type {
  AttachmentView,
  ContextView,
  ForwardView,
  MailView,
  MergedFrom,
  ReactionView,
  RecipientsView,
  SendingView,
  ThreadItem,
} from '#server/screens/inbox/thread-views.ts';

/** `programName`: label of the token of a program that wrote it. */
type WrittenBy = { programName: string | null; content: string; formatted: FormattedText | null };

/** A row of `readThread` without its timestamp. */
export type ThreadContent = { id: string; actorKind: ActorKind; actorName: string | null } & (
  | (WrittenBy & {
      kind: 'message';
      authorAddress: string | null;
      direction: MessageDirection;
      sendStatus: SendStatus | null;
      deliveryError: string | null;
      isDismissed: boolean;
      arrivalDoubtful: boolean;
      isTemplate: boolean;
      attachmentsCount: number;
      attachments: (ThreadFile & { inline: boolean })[];
      mail: MailView | null;
      recipients: RecipientsView | null;
      forward: ForwardView | null;
      context: ContextView | null;
      reactions: { emoji: string; name: string }[];
    })
  | (WrittenBy & {
      kind: 'note';
      isCommand: boolean;
      run: RunRow | null;
      mentioned: string[];
      attachments: (AttachmentView & { fileId: string })[];
      ownerId: string | null;
      version: number;
      editedAt: string | null;
      isDeleted: boolean;
    })
  | { kind: 'entry'; actorId: string | null; entryKind: string; data: unknown }
);

/** `mergedFromId`: the conversation of the row, unless it is the shown one. */
export type ThreadRow = ThreadContent & { mergedFromId: string | null; createdAt: Date };

type MessageRow = Extract<ThreadRow, { kind: 'message' }>;
type EntryRow = Extract<ThreadRow, { kind: 'entry' }>;

function shownRecipients({ to, cc, bcc }: RecipientsView): RecipientsView {
  return { to: to.map(shownEmail), cc: cc.map(shownEmail), bcc: bcc.map(shownEmail) };
}

/**
 * Converts a row to a thread item.
 * @param known the contact's label, or null, and the conversations of `conversationNamedIn` by id
 */
export function threadItem(
  row: ThreadRow,
  known: { contactName: string | null; others: Map<string, MergedFrom> },
): ThreadItem {
  const { id, createdAt } = row;
  const via = viaOf(row);
  const mergedFrom = known.others.get(row.mergedFromId ?? '') ?? null;
  switch (row.kind) {
    case 'message': {
      const sending = sendingOf(row);
      return {
        kind: 'message',
        id,
        mergedFrom,
        fromContact: row.direction === 'inbound',
        authorName: row.actorName ?? row.programName ?? AUTHORS[row.actorKind] ?? null,
        authorAddress: row.actorName && row.authorAddress && shownEmail(row.authorAddress),
        isAutomatic: row.actorKind in AUTHORS || isProgram(row),
        via,
        content: wordsOf(row),
        formatted: storedFormatted(row.formatted),
        ...withoutPictures(row.attachments),
        filesElsewhere: Math.max(
          0,
          row.attachmentsCount - row.attachments.filter(({ inline }) => !inline).length,
        ),
        mail: row.mail,
        recipients: row.recipients && shownRecipients(row.recipients),
        forward: row.forward,
        context: row.context,
        reactions: groupReactions(row.reactions),
        // A merged conversation is read-only.
        sending: sending && {
          ...sending,
          isTemplate: row.isTemplate,
          isDismissed: row.isDismissed,
          canSendAgain: sending.canSendAgain && !mergedFrom,
          canDismiss: ['failed', 'held'].includes(sending.state) && !row.isDismissed && !mergedFrom,
        },
        createdAt,
      };
    }
    case 'note': {
      const formatted = storedFormatted(row.formatted);
      return {
        kind: 'note',
        id,
        mergedFrom,
        authorName: row.actorName ?? row.programName,
        isCommand: row.isCommand,
        run: row.run && runView(row.run),
        via,
        content: row.content,
        formatted,
        mentioned: row.mentioned,
        ...withoutPictures(noteFiles(formatted, row.attachments)),
        ownerId: mergedFrom ? null : row.ownerId,
        version: row.version,
        editedAt: row.editedAt === null ? null : new Date(row.editedAt),
        isDeleted: row.isDeleted,
        createdAt,
      };
    }
    case 'entry':
      return { kind: 'entry', id, ...describeEntry(row, known), createdAt };
  }
}

/** Returns whether a program wrote in its own name. */
function isProgram({ actorName, programName }: WrittenBy & Pick<ThreadRow, 'actorName'>): boolean {
  return actorName === null && programName !== null;
}

/** Returns what wrote a message or note as its author, or null. */
function viaOf(row: ThreadRow): string | null {
  if (row.actorKind === 'workflow') return settings().PLATFORM_NAME;
  if (row.kind === 'entry' || row.programName === null) return null;
  return isProgram(row) ? 'API token' : row.programName;
}

/** Returns the id of the merged conversation that the row comes from, or of the other one of a merge entry, or null. */
export function conversationNamedIn(row: ThreadRow): string | null {
  if (row.kind !== 'entry') return row.mergedFromId;
  const content = contentOf(row);
  switch (content?.kind) {
    case 'merged':
    case 'merge_undone':
      return content.data.intoId;
    case 'merged_here':
    case 'merge_undone_here':
      return content.data.fromId;
    default:
      return null;
  }
}

/** Returns the text of a message; empty if it only describes the invitation that is shown as a card. */
function wordsOf({ content, mail }: MessageRow): string {
  return mail?.invitation && content === describeInvitation(mail.invitation) ? '' : content;
}

/** Groups reactions by emoji, in the order in which the emoji came. */
function groupReactions(reactions: MessageRow['reactions']): ReactionView[] {
  const byEmoji = Map.groupBy(reactions, ({ emoji }) => emoji);
  return [...byEmoji].map(([emoji, group]) => ({ emoji, names: group.map(({ name }) => name) }));
}

/**
 * Returns the delivery state of a message to the contact; null for inbound messages and for channels without
 * a report.
 */
export function sendingOf({
  direction,
  sendStatus,
  deliveryError,
  arrivalDoubtful,
}: Pick<MessageRow, 'direction' | 'sendStatus' | 'deliveryError' | 'arrivalDoubtful'>): Pick<
  SendingView,
  'state' | 'sentence' | 'canSendAgain'
> | null {
  if (direction === 'inbound') return null;
  switch (sendStatus) {
    case 'queued':
    case 'sending':
      return { state: 'on_its_way', sentence: 'Sending', canSendAgain: false };
    case 'sent':
      if (arrivalDoubtful) return { state: 'doubtful', sentence: DOUBTFUL, canSendAgain: false };
      return { state: 'sent', sentence: 'Sent', canSendAgain: false };
    case 'held_for_paywall':
      return {
        state: 'held',
        sentence:
          'Saved, but not sent: sending email needs the Growth plan or higher and a verified email domain.',
        canSendAgain: true,
      };
    case 'failed':
      return {
        state: 'failed',
        sentence: `Not delivered. ${deliveryError ?? 'This message could not be sent.'}`,
        canSendAgain: true,
      };
    case null:
      // The channel reports nothing, or refused without a status.
      return deliveryError
        ? { state: 'failed', sentence: `Not delivered. ${deliveryError}`, canSendAgain: false }
        : null;
  }
}

const DOUBTFUL = 'May not have arrived. A mail server returned an email about it, shown below.';

/** Describes a timeline entry: a sentence with author and change, the quoted text, the score, the other conversation and the end of a snooze. */
function describeEntry(row: EntryRow, { contactName, others }: Parameters<typeof threadItem>[1]) {
  const who = nameOf(row, contactName);
  const via = row.actorKind === 'workflow' ? ` through ${settings().PLATFORM_NAME}` : '';
  const content = contentOf(row);
  const other = others.get(conversationNamedIn(row) ?? '');
  const isOwn = content?.kind === 'assigned' && content.data.assigneeId === row.actorId;
  const what = isOwn ? 'took this conversation' : content && describeContent(content);
  const reason = row.actorKind === 'flow' && content?.kind !== 'flow_stopped' ? reasonOfFlow(row.data) : null;
  const because = reason === null ? '' : ` because ${reason}`;
  const sentence = `${who} ${what ?? 'changed this conversation'}${via}${because}`;
  return {
    sentence: (content && sentenceWithoutChoice(content, row, contactName)) ?? sentence,
    quote: content && quoteOf(content),
    score: content?.kind === 'rated' ? content.data.score : null,
    other: other ? { id: other.id, title: other.title } : null,
    until: content?.kind === 'snoozed' ? new Date(content.data.until) : null,
  };
}

/** Describes a change that nobody chose; null for other changes. */
function sentenceWithoutChoice(
  content: TimelineContent,
  { actorKind }: EntryRow,
  contactName: string | null,
): string | null {
  const contact = contactName ?? 'the contact';
  if (content.kind === 'snooze_ended') return 'Snooze ended';
  if (content.kind === 'reply_address_set' && (actorKind === 'contact' || actorKind === 'automatic')) {
    const addresses = content.data.addresses.join(', ');
    return addresses === ''
      ? `Replies go to ${contact} again`
      : `Replies go to ${addresses}, as their email asked`;
  }
  if (content.kind !== 'status_changed') return describeAutomaticAssignment(content);
  switch (content.data.because) {
    case 'contact_wrote':
      return `Reopened because ${contact} wrote`;
    case 'other_wrote':
      return 'Reopened because a message arrived';
    case 'answer_failed':
      return 'Reopened because the answer was not sent';
    case 'stayed_solved':
      return 'Closed because it stayed solved';
    case undefined:
      return null;
  }
}

/** Returns the content of an entry, or null when this version does not know its kind. */
function contentOf({ entryKind, data }: EntryRow): TimelineContent | null {
  return timelineContent.safeParse({ kind: entryKind, data }).data ?? null;
}

function nameOf({ actorKind, actorName }: EntryRow, contactName: string | null): string {
  if (actorKind === 'contact') return actorName ?? contactName ?? 'The contact';
  if (actorKind === 'flow' && actorName !== null) return `The automation “${actorName}”`;
  if (actorKind === 'program') return `The program “${actorName}”`;
  return ACTORS[actorKind] ?? actorName ?? 'Someone';
}

/** Subjects of sentences for authors without a name. */
export const ACTORS: Partial<Record<ActorKind, string>> = {
  ai_agent: 'The AI agent',
  flow: 'An automation',
  automatic: 'The service',
};

/** Names of message authors without a name. */
const AUTHORS: Partial<Record<ActorKind, string>> = {
  ai_agent: 'AI agent',
  flow: 'Automation',
  automatic: 'Automatic message',
};
