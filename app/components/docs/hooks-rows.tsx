import { Code } from '#app/components/docs/code.tsx';
import type { Row } from '#app/components/docs/rows.tsx';

function coded(name: string, text: Row['text']): Row {
  return { key: name, name: <Code>{name}</Code>, text };
}

/** The filter of each event that has one (spec.md §4.2). */
export const filterRows: Row[] = [
  coded(
    'status',
    <>
      For <Code>conversation.status_changed</Code>: only changes to this status. <Code>open</Code>,{' '}
      <Code>pending</Code>, <Code>solved</Code> or <Code>closed</Code>.
    </>,
  ),
  coded(
    'tag',
    <>
      For <Code>conversation.tagged</Code>: only when this tag is among those just added, in upper or lower
      case. At most 40 characters.
    </>,
  ),
  coded(
    'command',
    <>
      For <Code>operator.command</Code>: only this command. Without it teammates may run any command, and the
      hook hears all of them.
    </>,
  ),
];

/** What follows from each response to a delivery (spec.md §3). */
export const responseRows: Row[] = [
  coded('2xx', 'Delivered.'),
  coded('410', 'The workflow is gone: the hook is removed.'),
  coded('429', 'Sent again later, and the hook is sent to more slowly.'),
  coded('other 4xx', 'This event is dropped. The hook stays.'),
  coded(
    '5xx, 3xx, no response',
    'Sent again after 30 seconds, 2 minutes, 10 minutes and 30 minutes: five attempts in all.',
  ),
];

/** Why a hook ends (spec.md §3). */
export const removalRows: Row[] = [
  {
    key: 'unsubscribed',
    name: 'Unsubscribed',
    text: (
      <>
        <Code>DELETE /hooks/{'{id}'}</Code>
      </>
    ),
  },
  {
    key: 'gone',
    name: 'Gone',
    text: (
      <>
        Your address returned <Code>410</Code>.
      </>
    ),
  },
  {
    key: 'failing',
    name: 'Failing',
    text: '50 deliveries in a row ended with an error status. A successful delivery resets the count.',
  },
  {
    key: 'ended',
    name: 'The connection ended',
    text: 'It was revoked or disconnected, or the teammate left the workspace or is no longer owner or admin.',
  },
];
