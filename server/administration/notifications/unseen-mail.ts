import type { NotificationView } from '#server/administration/notifications/views.ts';
import { formatTimestamp } from '#server/core/mail/format-timestamp.ts';

/** So many notifications are in a mail; of the others it says how many there are. */
const LISTED_MAX = 10;

/** What the mail needs to know. `unseen`: newest first, all of them. */
export type UnseenMailFacts = {
  unseen: Pick<NotificationView, 'sentence' | 'href' | 'createdAt'>[];
  recipientName: string;
  workspaceName: string;
  serviceName: string;
  baseUrl: string;
};

/** Writes the mail to a teammate about what they have not seen in the app. */
export function unseenMail(facts: UnseenMailFacts): { subject: string; text: string } {
  const { unseen, recipientName, workspaceName, serviceName, baseUrl } = facts;
  const listed = unseen.slice(0, LISTED_MAX);
  const more = unseen.length - listed.length;
  const [first] = listed;
  const paragraphs = [
    `Hello ${recipientName},`,
    `New for you in ${workspaceName}:`,
    ...listed.map(({ sentence, href, createdAt }) =>
      [sentence, formatTimestamp(createdAt), ...(href ? [`${baseUrl}${href}`] : [])].join('\n'),
    ),
    ...(more > 0 ? [`And ${more} more: ${baseUrl}/inbox`] : []),
    `You are receiving this because you did not open these in ${serviceName} within a few minutes.\n${serviceName}`,
  ];
  const subject =
    unseen.length === 1 && first
      ? oneLine(first.sentence)
      : `You have ${unseen.length} new notifications in ${workspaceName}`;
  return { subject, text: `${paragraphs.join('\n\n')}\n` };
}

/** Characters of a subject: what mail programs show of it. */
const SUBJECT_MAX_LENGTH = 120;

/** A sentence as a subject; what contacts wrote into it may have lines, and be long. */
function oneLine(sentence: string): string {
  const line = [
    ...sentence
      .slice(0, 10 * SUBJECT_MAX_LENGTH)
      .replaceAll(/[\s\p{Cc}]+/gu, ' ')
      .trim(),
  ];
  return line.length > SUBJECT_MAX_LENGTH
    ? `${line.slice(0, SUBJECT_MAX_LENGTH - 1).join('')}…`
    : line.join('');
}
