import { explainEnd } from '#server/automation/connections/explain-end.ts';
import { explainDelivery } from '#server/automation/deliveries/explain-delivery.ts';
import { CONSECUTIVE_ERRORS_MAX } from '#server/automation/hooks/remove-hooks.ts';
import { eventName } from '#server/contract/event-catalogue.ts';
import type { Db } from '#server/core/database/prisma.ts';
import { describeDay } from '#server/core/day.ts';
import { formatTimestamp } from '#server/core/mail/service-mail.ts';
import { CHANNEL_NAMES } from '#server/inbox/channels/channel-names.ts';
import type {
  ChannelNotification,
  NotificationContent,
  StorageNotification,
} from '#server/teammates/notification-content.ts';

/** Names that a sentence needs besides the notification's content. */
export type NotificationSubject = {
  conversation: { subject: string | null; contactName: string | null } | null;
  hookNames: HookNames | undefined;
  platformName: string;
};

/**
 * Returns the sentence of a notification.
 * @param content null when a newer version wrote a kind that this version does not know
 */
export function notificationSentence(
  content: NotificationContent | null,
  { conversation, hookNames, platformName }: NotificationSubject,
): string {
  const name = nameConversation(conversation);
  if (!content) return `There is an update to ${name}.`;
  const { kind, data } = content;
  const contact = conversation?.contactName ?? 'The contact';
  switch (kind) {
    case 'assigned':
      return data.byName
        ? `${data.byName} assigned ${name} to you.`
        : `${capitalized(name)} was assigned to you.`;
    case 'noted':
      return data.byName ? `${data.byName} added a note to ${name}.` : `A note was added to ${name}.`;
    case 'mentioned':
      return data.byName
        ? `${data.byName} mentioned you in a note to ${name}.`
        : `You were mentioned in a note to ${name}.`;
    case 'reply_not_sent':
      return `${data.byName === null ? 'Your' : `${data.byName}’s`} reply in ${name} was not sent. ${data.why}`;
    case 'message_failed':
      return describeFailedMessage(data, name);
    case 'contact_wrote': {
      const author = (conversation && data.authorName) ?? contact;
      return conversation?.subject ? `${author} wrote in ${name}.` : `${author} wrote to you.`;
    }
    case 'assignee_away': {
      const until = data.until === null ? '' : ` until ${dayOfReturn(data.until)}`;
      // Not who wrote: it may be a person in copy.
      return `There is a new message in ${name}. ${data.assigneeName} is away${until}.`;
    }
    case 'new_conversation': {
      const { more, isNew } = data;
      if (more === 0) return `${capitalized(name)} is ${isNew ? 'new' : 'waiting'} and unassigned.`;
      const others = more === 1 ? '1 other conversation' : `${more} other conversations`;
      return `${capitalized(name)} and ${others} are ${isNew ? 'new' : 'waiting'} and unassigned.`;
    }
    case 'team_conversation':
      return `${capitalized(name)} is new in ${data.teamName}.`;
    case 'command_failed':
      return `/${data.command} in ${name} was not delivered: ${explainDelivery(data, platformName)}.`;
    case 'rated':
      return `${contact} rated ${conversation?.subject ? name : 'your conversation'} ${data.score} out of 5.`;
    case 'sla_breached':
      return data.limit === 'first_response'
        ? `The first response to ${name} is overdue.`
        : `The resolution of ${name} is overdue.`;
    case 'hook_failing':
      return `${data.count} events in a row failed for a workflow: ${nameWorkflow(data.event, hookNames)}.`;
    case 'hook_removed': {
      const why =
        data.reason === 'gone'
          ? `${platformName} says it no longer exists`
          : `${CONSECUTIVE_ERRORS_MAX} events in a row failed`;
      const connectedBy = hookNames ? ` ${hookNames.teammateName} connected it.` : '';
      return `The workflow ${nameTrigger(data.event, hookNames)} stopped: ${why}.${connectedBy}`;
    }
    case 'channel_reconnect':
      return `${nameAccount(data)} needs to be connected again. ${data.why}`;
    case 'channel_expiring':
      return `Access to ${nameAccount(data)} ends on ${formatTimestamp(new Date(data.expiresAt))}. Connect it again before then.`;
    case 'channel_update_failed':
      return `A message or another update to ${nameAccount(data)} could not be received. Try again in Settings > Channels.`;
    case 'storage_low':
      return `Files use ${percentUsed(data)} % of this workspace’s storage. When it is full, large emails and files are refused.`;
    case 'webhook_failing':
      return `The webhook endpoint ${data.url} has been failing for two days. It is paused after five.`;
    case 'webhook_paused':
      return data.reason === 'gone'
        ? `The webhook endpoint ${data.url} was paused: it says it no longer exists (410).`
        : `The webhook endpoint ${data.url} was paused after failing for five days.`;
    case 'api_token_created':
      return `${data.byName} created the API token “${data.label}”.`;
    case 'connection_started':
      return `${data.teammateName} connected ${platformName} to this workspace.`;
    case 'connection_ended': {
      const { teammateName, reason } = data;
      if (reason === 'revoked_by_platform')
        return `${teammateName}’s connection was disconnected in ${platformName}.`;
      const { why } = explainEnd(reason, { platformName, teammateName });
      return `${teammateName}’s connection to ${platformName} ended. ${why}`;
    }
  }
}

/** An absence ends at midnight in the teammate’s time zone, which is not stored: it is at most `AHEAD_MAX_MS` before that of UTC. */
function dayOfReturn(until: string): string {
  return describeDay(new Date(Date.parse(until) + AHEAD_MAX_MS).toISOString().slice(0, 10));
}

/** 13:45 hours: from Honolulu to the Chatham Islands in summer. */
const AHEAD_MAX_MS = 49_500_000;

/** Returns how much of the storage is used, in whole percent. */
export function percentUsed({ usedBytes, quotaBytes }: StorageNotification['data']): number {
  return Math.floor((100 * usedBytes) / quotaBytes);
}

function nameAccount({ channel, accountName }: ChannelNotification['data']): string {
  return `${CHANNEL_NAMES[channel].name} (${accountName})`;
}

function nameConversation(conversation: NotificationSubject['conversation']): string {
  if (conversation?.subject) return `“${conversation.subject}”`;
  return conversation?.contactName ? `the conversation with ${conversation.contactName}` : 'a conversation';
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function describeFailedMessage(
  { isYours, byName, isDoubtful, why }: Extract<NotificationContent, { kind: 'message_failed' }>['data'],
  name: string,
): string {
  const message = `${isYours ? 'your' : byName === null ? 'a' : `${byName}’s`} message in ${name}`;
  return isDoubtful
    ? `${capitalized(message)} may not have arrived. ${why}`
    : `Sending ${message} failed. ${why}`;
}

/**
 * Names a workflow by its trigger, for example `New Conversation` or `Conversation Tagged (vip), connected by
 * Ada`.
 */
export function nameWorkflow(event: string, names: HookNames | undefined): string {
  return `${nameTrigger(event, names)}${names ? `, connected by ${names.teammateName}` : ''}`;
}

function nameTrigger(event: string, names: HookNames | undefined): string {
  return `${eventName(event)}${names?.filter ? ` (${names.filter})` : ''}`;
}

/** Distinguishes a hook from other hooks of its event: its filter and the teammate who connected it. */
export type HookNames = { filter: string | null; teammateName: string };

/** Finds the names by hook id. A hook whose record is deleted has no entry. */
export async function findHookNames(db: Db, hookIds: string[]): Promise<Map<string, HookNames>> {
  if (hookIds.length === 0) return new Map();
  const hooks = await db.hook.findMany({
    where: { id: { in: hookIds } },
    select: {
      id: true,
      status: true,
      tag: true,
      command: true,
      connection: { select: { teammateName: true, user: { select: { name: true } } } },
    },
    relationLoadStrategy: 'join',
  });
  return new Map(
    hooks.flatMap(({ id, status, tag, command, connection }) => {
      if (!connection) return [];
      const teammateName = connection.user?.name ?? connection.teammateName;
      return [[id, { filter: status ?? tag ?? command, teammateName }]];
    }),
  );
}
