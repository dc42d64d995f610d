import { CHANNEL_NAMES } from '#server/inbox/channels/channel-names.ts';
import type { FlowActions, FlowCondition } from '#server/inbox/flows/flow.ts';

/** The names of those that a flow assigns to; undefined: no one of that id can take conversations. */
export type FlowNames = { assignee: string | undefined; team: string | undefined };

/** Says in one sentence when a flow applies and what it does. */
export function flowSentence(condition: FlowCondition, actions: FlowActions, names: FlowNames): string {
  return `When ${whenOf(condition)}: ${listOf(doingOf(actions, names), 'and')}.`;
}

function whenOf({ channels, words, emailDomain }: FlowCondition): string {
  const who = emailDomain === null ? 'someone' : `someone from ${emailDomain}`;
  const where =
    channels.length === 0
      ? ''
      : ` ${listOf(
          channels.map((each) => CHANNEL_NAMES[each].phrase),
          'or',
        )}`;
  const quoted = words.map((word) => `“${word}”`);
  const about = words.length === 0 ? '' : ` and mentions ${listOf(quoted, 'or')}`;
  return `${who} starts a conversation${where}${about}`;
}

function doingOf({ tags, assigneeId, teamId, status }: FlowActions, { assignee, team }: FlowNames): string[] {
  const quoted = tags.map((tag) => `“${tag}”`);
  return [
    ...(tags.length > 0 ? [`add the ${tags.length === 1 ? 'tag' : 'tags'} ${listOf(quoted, 'and')}`] : []),
    ...(teamId ? [`assign it to ${team ? `the team ${team}` : 'a deleted team'}`] : []),
    ...(assigneeId ? [`assign it to ${assignee ?? 'a former teammate'}`] : []),
    ...(status ? [`set its status to ${status}`] : []),
  ];
}

/** `a, b and c`. */
function listOf(parts: string[], last: 'and' | 'or'): string {
  if (parts.length < 2) return parts.join('');
  return `${parts.slice(0, -1).join(', ')} ${last} ${parts.at(-1)}`;
}
