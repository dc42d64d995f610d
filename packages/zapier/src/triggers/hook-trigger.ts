import type { Bundle, PlainInputField, Trigger, ZObject } from 'zapier-platform-core';
import { callService } from '../call-service.ts';
import { type EventKey, eventFields } from '../fields/record-fields.ts';
import { eventSamples } from '../fields/samples.ts';

type Event = Record<string, unknown> & { id: string };

export type HookTrigger = {
  key: string;
  event: EventKey;
  noun: string;
  label: string;
  description: string;
  filter?: PlainInputField & { key: 'status' | 'tag' | 'command' };
};

/**
 * Returns an instant trigger, which subscribes a hook when turned on and unsubscribes the hook when turned off. In the
 * editor it loads samples: recent events of the workspace in the shape of deliveries.
 */
export function hookTrigger({ key, event, noun, label, description, filter }: HookTrigger) {
  const filterIn = (bundle: Bundle): Record<string, string | undefined> =>
    filter ? { [filter.key]: bundle.inputData[filter.key] as string | undefined } : {};
  return {
    key,
    noun,
    display: { label, description },
    operation: {
      type: 'hook',
      inputFields: filter ? [filter] : [],
      performSubscribe: (z: ZObject, bundle: Bundle) =>
        callService<Record<string, unknown>>(z, {
          method: 'POST',
          path: '/hooks',
          body: { target_url: bundle.targetUrl, event, ...filterIn(bundle) },
        }),
      performUnsubscribe: (z: ZObject, bundle: Bundle) =>
        callService<Record<string, unknown>>(z, {
          method: 'DELETE',
          path: `/hooks/${encodeURIComponent(bundle.subscribeData?.id ?? '')}`,
        }),
      perform: (_z: ZObject, bundle: Bundle) => [bundle.cleanedRequest as Event],
      performList: (z: ZObject, bundle: Bundle) =>
        callService<Event[]>(z, {
          method: 'GET',
          path: `/triggers/${event}/samples`,
          params: filterIn(bundle),
        }),
      outputFields: eventFields[event],
      sample: eventSamples[event],
    },
  } satisfies Trigger;
}
