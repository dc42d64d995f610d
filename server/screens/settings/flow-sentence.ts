import { CHANNEL_NAMES } from '#server/inbox/channels/channel-names.ts';
import { formatHours } from '#server/inbox/conversations/flow-cause.ts';
import type { FlowActions, FlowCondition, FlowContent, FlowTrigger } from '#server/inbox/flows/flow.ts';

/** Names of the assignee and the teams; undefined when they no longer exist. */
export type FlowNames = {
  assignee: string | undefined;
  team: string | undefined;
  /** The team of the trigger. */
  watched: string | undefined;
};

/** Returns a sentence with the trigger, the condition and the actions of a flow. */
export function flowSentence({ trigger, condition, actions }: FlowContent, names: FlowNames): string {
  const then = listOf(doingOf(actions, names), 'and');
  if (trigger.kind === 'conversation_started') return `When ${startOf(condition)}: ${then}.`;
  const conditions = listOf(conditionsOf(condition), 'and');
  return `When ${whenOf(trigger, names)}${conditions === '' ? '' : `, if ${conditions}`}: ${then}.`;
}

function startOf({ channels, words, emailDomain }: FlowCondition): string {
  const who = emailDomain === null ? 'someone' : `someone from ${emailDomain}`;
  const where = channels.length === 0 ? '' : ` ${phraseOf(channels)}`;
  const about = words.length === 0 ? '' : ` and mentions ${listOf(words.map(quoted), 'or')}`;
  return `${who} starts a conversation${where}${about}`;
}

function whenOf(trigger: Exclude<FlowTrigger, { kind: 'conversation_started' }>, names: FlowNames): string {
  switch (trigger.kind) {
    case 'conversation_started':
    case 'message_received':
      return 'the contact writes';
    case 'replied':
      return 'a teammate replies';
    case 'assigned':
      return 'a teammate is assigned';
    case 'status_changed':
      return `the status changes${trigger.to === null ? '' : ` to ${trigger.to}`}`;
    case 'priority_changed':
      return `the priority changes${trigger.to === null ? '' : ` to ${trigger.to}`}`;
    case 'tagged':
      return trigger.tags.length === 0
        ? 'a tag is added'
        : `the tag ${listOf(trigger.tags.map(quoted), 'or')} is added`;
    case 'team_set':
      return trigger.teamId === null
        ? 'a team is assigned'
        : `${names.watched === undefined ? 'a deleted team' : `the team ${names.watched}`} is assigned`;
    case 'sla_missed':
      return `the SLA target for ${LIMITS[trigger.limit ?? 'any']} is missed`;
    case 'stayed':
      return `a conversation has been ${trigger.status} for ${formatHours(trigger.hours)}`;
    case 'team_silent':
      return `the contact has waited ${formatHours(trigger.hours)} for a reply`;
    case 'contact_silent':
      return `the contact has not replied for ${formatHours(trigger.hours)}`;
  }
}

const LIMITS = {
  first_response: 'the first response',
  resolution: 'the resolution',
  any: 'the first response or the resolution',
};

function conditionsOf({ channels, words, emailDomain, statuses, tags }: FlowCondition): string[] {
  return [
    ...(channels.length > 0 ? [`it started ${phraseOf(channels)}`] : []),
    ...(words.length > 0 ? [`it mentions ${listOf(words.map(quoted), 'or')}`] : []),
    ...(emailDomain === null ? [] : [`the contact is from ${emailDomain}`]),
    ...(statuses.length > 0 ? [`it is ${listOf(statuses, 'or')}`] : []),
    ...(tags.length > 0 ? [`it has the tag ${listOf(tags.map(quoted), 'or')}`] : []),
  ];
}

function doingOf(
  { tags, assigneeId, teamId, status, priority }: FlowActions,
  { assignee, team }: FlowNames,
): string[] {
  return [
    ...(tags.length > 0
      ? [`add the ${tags.length === 1 ? 'tag' : 'tags'} ${listOf(tags.map(quoted), 'and')}`]
      : []),
    ...(teamId ? [`assign it to ${team ? `the team ${team}` : 'a deleted team'}`] : []),
    ...(assigneeId ? [`assign it to ${assignee ?? 'a former teammate'}`] : []),
    ...(priority ? [`set its priority to ${priority}`] : []),
    ...(status ? [`set its status to ${status}`] : []),
  ];
}

function phraseOf(channels: FlowCondition['channels']): string {
  return listOf(
    channels.map((each) => CHANNEL_NAMES[each].phrase),
    'or',
  );
}

function quoted(text: string): string {
  return `“${text}”`;
}

/** Formats a list as `a, b and c`. */
function listOf(parts: string[], last: 'and' | 'or'): string {
  if (parts.length < 2) return parts.join('');
  return `${parts.slice(0, -1).join(', ')} ${last} ${parts.at(-1)}`;
}
