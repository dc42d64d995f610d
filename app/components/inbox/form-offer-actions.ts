import { change } from '#app/components/live/page-data.ts';

export const listForm = change(({ channels }, address: string) => channels.addForm.mutate({ address }));

export const declineForm = change(({ channels }, address: string) =>
  channels.declineForm.mutate({ address }),
);
