'use server';

import { action } from '#app/data/action.ts';
import { textOf } from '#app/lib/form-state.ts';

const PAGES = '/settings/developers/*';

function fieldsOf(form: FormData) {
  return {
    url: textOf(form, 'url'),
    description: textOf(form, 'description'),
    events: form
      .getAll('events')
      .filter((value): value is string => typeof value === 'string' && value !== ''),
    skipsTokenId: textOf(form, 'skipsTokenId'),
  };
}

export const createWebhook = action(PAGES, ({ webhooks }, form: FormData) => webhooks.create(fieldsOf(form)));

export const updateWebhook = action(PAGES, ({ webhooks }, id: string, form: FormData) =>
  webhooks.update({ id, ...fieldsOf(form) }),
);

export const setWebhookEnabled = action(PAGES, ({ webhooks }, id: string, enabled: boolean) =>
  webhooks.setEnabled({ id, enabled }),
);

export const rotateWebhookSecret = action(PAGES, ({ webhooks }, id: string) => webhooks.rotate({ id }));

export const deleteWebhook = action(PAGES, ({ webhooks }, id: string) => webhooks.delete({ id }));

export const testWebhook = action(PAGES, ({ webhooks }, id: string) => webhooks.test({ id }));

export const resendWebhookDelivery = action(PAGES, ({ webhooks }, id: string, deliveryId: string) =>
  webhooks.resend({ id, deliveryId }),
);

export const replayWebhook = action(PAGES, ({ webhooks }, id: string, form: FormData) =>
  webhooks.replay({ id, hours: Number(textOf(form, 'hours')) }),
);
