import { toText } from '../../http/html.ts';
import { triggerOf } from '../catalogue/triggers.ts';
import type { ReceivedEvent, Subscription } from '../state.ts';
import { receivedLine } from './received-line.ts';
import { renderEvent } from './render-event.ts';

/** What the open pages receive when an event arrives or repeats. */
export function eventNews(subscription: Subscription, event: ReceivedEvent) {
  const { name } = triggerOf(event.trigger);
  return {
    connection: event.connectionId,
    id: `event-${event.id}`,
    html: toText(renderEvent(event)),
    announcement: event.attempts.length > 1 ? `${name} arrived again` : `${name} arrived`,
    subscription: subscription.key,
    received: receivedLine(subscription),
  };
}
